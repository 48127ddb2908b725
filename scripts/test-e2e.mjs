// `npm run test:e2e -- [playwright's options]`: only the browser tests.
import { startEphemeral } from "./postgres/ephemeral.mjs";
import { runBrowserTests, startBrowserSystem } from "./testing/browser-tests.mjs";
import { verdict } from "./testing/counts.mjs";
import { slowest } from "./testing/durations.mjs";

const interruption = new AbortController();
for (const signal of /** @type {const} */ (["SIGINT", "SIGTERM"]))
  process.on(signal, () => interruption.abort());

const given = process.env["TEST_DATABASE_URL"] || process.env["DATABASE_URL"];
const embedded = given ? undefined : await startEphemeral();
let problem;
try {
  const result = await runBrowserTests(
    await startBrowserSystem(given ?? embedded?.url ?? ""),
    process.argv.slice(2),
    interruption.signal,
  );
  problem = verdict(result?.counts);
  if (result !== undefined) console.log(`\n${slowest(result.times).join("\n")}`);
} finally {
  await embedded?.stop();
}
if (problem !== undefined) console.error(`browser tests: ${problem}`);
process.exit(problem === undefined ? 0 : 1);
