// For tests: the command in this process, at a terminal on which the test types.
import { PassThrough } from "node:stream";
import { run } from "@/cli/run";
import { loadEnvironmentConfig } from "@/cli/surroundings";

export interface TerminalOptions {
  readonly env: Readonly<Record<string, string>>;
  readonly home: string;
  readonly columns?: number;
  /** Typed at the first prompt; null: Ctrl-C. */
  readonly types?: string | null;
}

class Terminal extends PassThrough {
  readonly isTTY = true;
  text = "";
  constructor(readonly columns: number) {
    super();
    this.on("data", (piece: Buffer) => (this.text += piece.toString("utf8")));
  }
}

export async function atTerminal(
  args: readonly string[],
  { env, home, columns = 80, types = "" }: TerminalOptions,
): Promise<{ readonly code: number; readonly stdout: string; readonly stderr: string }> {
  const [stdin, stdout, stderr] = [
    Object.assign(new PassThrough(), { isTTY: true, setRawMode: () => undefined }),
    new Terminal(columns),
    new Terminal(columns),
  ];
  const interruption = new AbortController();
  stderr.once("data", () => {
    if (types === null) setImmediate(() => interruption.abort());
    else setImmediate(() => stdin.write(`${types}\n`));
  });
  const code = await run({
    args,
    environment: loadEnvironmentConfig(env),
    home,
    stdin,
    stdout,
    stderr,
    now: () => new Date(),
    interrupted: interruption.signal,
  });
  await new Promise((resolve) => setImmediate(resolve));
  return { code, stdout: stdout.text, stderr: stderr.text };
}
