// The agent's start options: from its arguments, else from the kernel command line that Reclaim's boot script wrote.
export interface BootOptions {
  readonly server: URL;
  /** A file in the image. */
  readonly authorities?: string;
}

const names = { server: "reclaim.server", authorities: "reclaim.ca" } as const;

function given(
  name: keyof typeof names,
  args: readonly string[],
  kernelCommandLine: string,
): string | undefined {
  const at = args.indexOf(`--${name}`);
  if (at >= 0) return args[at + 1];
  const option = `${names[name]}=`;
  return kernelCommandLine
    .split(/\s+/)
    .find((part) => part.startsWith(option))
    ?.slice(option.length);
}

/** `--server URL` takes precedence over `reclaim.server=URL`. Null if there is no http or https address. */
export function bootOptions(args: readonly string[], kernelCommandLine: string): BootOptions | null {
  const address = given("server", args, kernelCommandLine);
  const authorities = given("authorities", args, kernelCommandLine);
  if (address === undefined || !URL.canParse(address)) return null;
  const server = new URL(address);
  if (server.protocol !== "http:" && server.protocol !== "https:") return null;
  return { server, ...(authorities === undefined ? {} : { authorities }) };
}
