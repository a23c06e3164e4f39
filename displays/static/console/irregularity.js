// An irregularity of a round: the paragraph, what it asks, and what follows. Which questions there are is the
// service's word; it is also the service that tells the consequence before anything is confirmed.

import { t, translated } from "../catalogue.js";
import { get, path } from "./api.js";
import { ask } from "./dialog.js";
import { h } from "./dom.js";
import { acting, effectOf } from "./effect.js";
import { gameName } from "./format.js";
import { whose as whosePlace } from "./pit_round.js";
import { tell } from "./shell.js";

export const isCurrent = (round) => Boolean(round) && !["settled", "voided"].includes(round.state);

const YES_NO = [["yes", t("Yes"), ""], ["no", t("No"), ""]];
const FIELDS = {
  cards_seen: () => [{ name: "cards_seen", label: t("Has any player seen cards?"), type: "choice", required: true, options: YES_NO }],
  reconstructed: () => [{ name: "reconstructed", label: t("Can the cards be put back in the intended order?"), type: "choice", required: true, options: YES_NO }],
  interim_settled: (question) => [{ name: "interim_settled", label: question.optional ? t("Were side bets, naturals and surrenders settled before it was noticed? Unless you say, they were if an outcome was told.") : t("Were side bets, naturals and surrenders settled before it was noticed?"), type: "choice", required: !question.optional, options: YES_NO }],
  resolution: () => [{ name: "resolution", label: t("How is it resolved?"), type: "choice", required: true, options: [["void", t("The round is voided"), ""], ["continue", t("The round continues"), ""]] }],
  boxes: (question, said, round) => [boxes("boxes", t("Which boxes did it happen to?"), round.playing, true)],
  others: (question, said, round) => [boxes("others", t("Which other boxes are affected?"), round.playing.filter((box) => !said[`boxes ${box}`]), false)],
  choices: (question, said, round) => whose(question, said, round).map((key) => ({
    name: `choice ${key}`, label: t("{who}: what does the player choose?", { who: round.pit ? playerOf(key, round) : t("Box {box}", { box: key }) }), type: "choice", required: true, options: [["continue", t("To continue"), ""], /^\d/.test(key) ? ["return", t("To have the bets returned"), t("The hand is invalid.")] : ["return", t("To have the bet returned"), ""]],
  })),
  note: () => [],
};

const boxes = (name, label, among, required) => ({ name, label, type: "several", required, options: among.map((box) => [String(box), t("Box {box}", { box }), ""]) });
const named = (name, said, round) => round.playing.filter((box) => said[`${name} ${box}`]);
const whose = ({ of }, said, round) => (round.pit ? players(round) : of === "all" ? round.playing : named(of, said, round));

/** At blackjack every player chooses for each of his boxes, and for his bet on no box. */
const players = ({ bets }) => [...new Set(bets.playing.map(keyOf))];
const keyOf = ({ box, wager, player }) => `${box ?? wager}/${player}`;

function playerOf(key, { bets }) {
  const found = bets.playing.find((one) => keyOf(one) === key);
  return found.box === null ? `${found.name}, ${found.player}` : whosePlace(found);
}

/** The answer by which the service says what is asked next; null while there is none. */
function answered(question, said, round) {
  if (question.ask === "note") return "said";
  if (question.ask === "boxes" || question.ask === "others") return named(question.ask, said, round).length ? "named" : null;
  if (question.ask === "choices") return whose(question, said, round).every((box) => said[`choice ${box}`]) ? "chosen" : null;
  return said[question.ask] ?? null;
}

/** The questions so far, what is still missing, and the paragraph that applies instead. */
function course(paragraph, said, round) {
  const asked = [];
  let next = paragraph.needs;
  while (next) {
    if (next.instead) return { asked, instead: next.instead, missing: false };
    asked.push(next);
    const answer = answered(next, said, round);
    if (answer === null) return { asked, instead: null, missing: !next.optional };
    next = next.then[answer];
  }
  return { asked, instead: null, missing: asked.some((one) => one.ask === "note") && !said.note?.trim() };
}

function body(paragraph, said, round) {
  const told = { paragraph: paragraph.paragraph, note: said.note ?? "" };
  for (const question of course(paragraph, said, round).asked) {
    if (question.ask === "choices") told.choices = Object.fromEntries(whose(question, said, round).map((box) => [box, said[`choice ${box}`]]));
    else if (question.ask === "boxes" || question.ask === "others") told[question.ask] = named(question.ask, said, round);
    else if (question.ask === "resolution") told.resolution = said.resolution;
    else if (question.ask !== "note" && said[question.ask]) told[question.ask] = said[question.ask] === "yes";
  }
  return told;
}

export async function irregular(table, number) {
  let round, forms;
  try {
    [round, forms] = await Promise.all([get(path("tables", table, "rounds", number)), get("/v1/irregularities")]);
  } catch (error) {
    return tell(error.sentence ?? String(error), "bad");
  }
  const paragraphs = forms.games[round.game];
  const chosen = (said) => paragraphs.find((one) => one.paragraph === said.paragraph);
  return ask({
    title: t("Irregularity in round {round} at {table}", { round: round.round, table }),
    intro: [h("p.soft", {}, t("{game}. Only the current round is affected; earlier rounds are not changed.", { game: gameName(round.game) }))],
    fields: (said) => fields(paragraphs, chosen(said), said, round),
    effect: (said) => effect(chosen(said), said, round),
    act: async (said, key) => t("Declared as {id}.", await acting(path("tables", table, "rounds", round.round, "irregularities"), body(chosen(said), said, round), key)),
    confirm: t("Declare"),
    kind: "danger",
    wide: true,
  });
}

function fields(paragraphs, paragraph, said, round) {
  const options = paragraphs.map((one) => [one.paragraph, `${one.paragraph} ${translated(one.words)}`]);
  const { asked } = paragraph ? course(paragraph, said, round) : { asked: [] };
  const wanted = asked.some((one) => one.ask === "note");
  return [
    { name: "paragraph", label: t("What happened"), type: "select", required: true, value: said.paragraph ?? "", options: [["", t("Choose a paragraph …")], ...options] },
    ...asked.flatMap((question) => FIELDS[question.ask](question, said, round)),
    { name: "note", label: t("Note"), type: "long", required: wanted, missing: t("A note is required."), help: wanted ? t("What was decided, and why.") : t("Recorded in the journal.") },
  ];
}

async function effect(paragraph, said, round) {
  if (!paragraph) return [h("p.soft", {}, t("Choose what happened."))];
  const { instead, missing } = course(paragraph, said, round);
  if (instead) return [h("p.problem", {}, t("With these answers paragraph {instead} applies. Choose it above.", { instead }))];
  if (missing) return [h("p.soft", {}, t("Answer the questions to see what will happen."))];
  return effectOf("irregularity", round.table, body(paragraph, said, round), { round: round.round });
}
