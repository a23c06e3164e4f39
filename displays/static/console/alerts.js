// What each alert says.

import { t } from "../catalogue.js";
import { words } from "./format.js";

const ALERTS = {
  table_silent: () => t("silent"),
  clock_set: () => t("clock was changed"),
  dealt_outside: () => t("reported an impossible deal time"),
  wagers_open: () => t("left wagers of a round unsettled"),
  void_denied: () => t("voided a round offline after cards were seen"),
  promise_denied: () => t("promised a value that is not in the journal"),
  meters_differ: () => t("counts otherwise than the House"),
  hands_implausible: () => t("reported very unlikely hands"),
  stopped: () => t("stopped: the book contradicts itself"),
  house_clock: () => t("house time is not the database server's clock"),
};

export const alertName = (code) => (ALERTS[code] ?? (() => words(code)))();
