// The switch of the console's language. It is remembered by this browser, for its person and whoever comes after.

const YEAR = 365 * 24 * 3600;

document.getElementById("language").addEventListener("change", (event) => {
  const secure = location.protocol === "https:" ? "; Secure" : "";
  document.cookie = `jackpot_language=${event.target.value}; Path=/; Max-Age=${YEAR}; SameSite=Lax${secure}`;
  location.reload();
});
