// The static page in Firefox: node test/firefox.mjs FIREFOX ADDRESS PICTURE. Says what it saw, as a line of JSON.
import puppeteer from "puppeteer-core";

const [firefox, address, picture] = process.argv.slice(2);
const browser = await puppeteer.launch({ browser: "firefox", executablePath: firefox, headless: true, timeout: 120_000 });
try {
  const page = await browser.newPage();
  page.setDefaultTimeout(120_000);
  const errors = [];
  page.on("pageerror", (error) => errors.push(String(error)));
  page.on("console", (message) => ["error", "warn"].includes(message.type()) && errors.push(message.text()));
  await page.goto(address);
  const game = await page.waitForSelector(".game select");
  await game.select("axis_allies/revised-1942");
  await page.waitForSelector("[data-place]");
  const status = await text(page, "p", "Nobody has won yet.");
  await page.type("[role=combobox]", "vcp(Axis) >= 40");
  await page.click("button.main");
  const verdict = await text(page, ".verdict", "");
  await page.screenshot({ path: picture });
  console.log(JSON.stringify({ status, verdict, errors }));
} finally {
  await browser.close();
}

/** The text of the first element of a kind that says something; it is waited for. */
async function text(page, selector, begin) {
  const said = (kind, words) => [...document.querySelectorAll(kind)].map((one) => one.textContent.trim()).find((text) => text && text.startsWith(words));
  for (const end = Date.now() + 120_000; Date.now() < end; await new Promise((done) => setTimeout(done, 200))) {
    const found = await page.evaluate(said, selector, begin);
    if (found) return found;
  }
  throw new Error(`${selector} never says ${JSON.stringify(begin)}`);
}
