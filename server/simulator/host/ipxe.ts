// Runs the boot server's iPXE scripts: the part of https://ipxe.org/scripting that they use.

export interface IpxeSurroundings {
  /** Whether a signature matches; omitted: signatures are not checked. */
  readonly verifies?: (name: string) => boolean;
  /** The text at an address; null if it cannot be loaded. */
  readonly load: (url: string) => Promise<string | null>;
  readonly pause: (seconds: number) => Promise<void>;
  readonly signal: AbortSignal;
}

/** A kernel that was started. */
export interface StartedImage {
  /** Its address. */
  readonly kernel: string;
  readonly commandLine: string;
  /** Its address; null: none. */
  readonly initrd: string | null;
}

/** `nextDevice`: the firmware continues with its next boot device. */
export type IpxeEnd = StartedImage | "nextDevice";

interface Line {
  readonly words: readonly string[];
  /** After `||`; null: a failure ends the script. Empty: a failure is ignored. */
  readonly otherwise: readonly string[] | null;
}

const parsed = (text: string): Line => {
  const [command = "", ...rest] = text.split("||");
  const words = (part: string) =>
    part
      .trim()
      .split(/\s+/)
      .filter((word) => word !== "");
  return { words: words(command), otherwise: rest.length === 0 ? null : words(rest.join("||")) };
};

type Done =
  | { readonly kind: "ok" | "failed" }
  | { readonly kind: "goto"; readonly label: string }
  | { readonly kind: "end"; readonly end: IpxeEnd };

/** Runs a script to its end. Anything that is not an iPXE script starts nothing. */
export async function runIpxe(script: string, around: IpxeSurroundings): Promise<IpxeEnd> {
  let text = script;
  let image: StartedImage | null = null;

  const run = async ([name = "", ...args]: readonly string[]): Promise<Done> => {
    switch (name) {
      case "kernel": {
        const [kernel = "", ...options] = args;
        image = { kernel, commandLine: options.join(" "), initrd: null };
        return { kind: "ok" };
      }
      case "initrd":
        image = image && { ...image, initrd: args[0] ?? null };
        return { kind: "ok" };
      case "imgverify":
        return { kind: around.verifies?.(args[0] ?? "") === false ? "failed" : "ok" };
      case "boot":
        return image === null ? { kind: "failed" } : { kind: "end", end: image };
      case "sleep":
        await around.pause(Number(args[0]));
        return { kind: "ok" };
      case "chain": {
        const loaded = await around.load(args.at(-1) ?? "");
        if (loaded === null) return { kind: "failed" };
        text = loaded;
        return { kind: "goto", label: "" };
      }
      case "goto":
        return { kind: "goto", label: args[0] ?? "" };
      case "exit":
        return { kind: "end", end: "nextDevice" };
      default:
        return { kind: "ok" };
    }
  };

  for (let at = 0; !around.signal.aborted;) {
    if (!text.startsWith("#!ipxe")) return "nextDevice";
    const lines = text.split("\n").map((line) => line.trim());
    const line = lines[at];
    if (line === undefined) return "nextDevice";
    at += 1;
    if (line === "" || line.startsWith("#") || line.startsWith(":")) continue;
    const { words, otherwise } = parsed(line);
    let done = await run(words);
    if (done.kind === "failed")
      done =
        otherwise === null
          ? { kind: "end", end: "nextDevice" }
          : otherwise.length === 0
            ? { kind: "ok" }
            : await run(otherwise);
    if (done.kind === "end") return done.end;
    if (done.kind === "failed") return "nextDevice";
    if (done.kind !== "goto") continue;
    at = done.label === "" ? 0 : lines.indexOf(`:${done.label}`);
    if (at < 0) return "nextDevice";
  }
  return "nextDevice";
}
