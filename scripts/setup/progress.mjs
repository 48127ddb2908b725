// Shows what a long step is doing: elapsed seconds in a terminal, an occasional line elsewhere.

const terminal = process.stdout.isTTY === true;

/**
 * @template Result
 * @param {string} name
 * @param {() => Promise<Result>} work
 * @param {(result: Result) => string} [outcome] a few words for the end of the line
 * @returns {Promise<Result>}
 */
export async function step(name, work, outcome = () => "done") {
  const started = Date.now();
  const seconds = () => `${Math.round((Date.now() - started) / 1000)} s`;
  let drawn = false;
  const show = (/** @type {string} */ text) => {
    process.stdout.write(
      terminal ? `${drawn ? "\r\x1b[2K" : ""}  ${name} … ${text}` : `  ${name} … ${text}\n`,
    );
    drawn = true;
  };
  if (terminal) show("");
  const timer = setInterval(() => show(seconds()), terminal ? 1_000 : 15_000);
  try {
    const result = await work();
    show(Date.now() - started < 500 ? outcome(result) : `${outcome(result)}, ${seconds()}`);
    return result;
  } catch (error) {
    show(`failed after ${seconds()}`);
    throw error;
  } finally {
    clearInterval(timer);
    if (terminal) process.stdout.write("\n");
  }
}
