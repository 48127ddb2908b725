// A state with its mark: "Failed / NVMECleanFailed", the second part paler.
import { Mark } from "@/components/ui/mark";
import type { Tone } from "@/components/ui/tone";

interface StateLabelProps {
  tone: Tone;
  /** A state path, separated by slashes. */
  path: string;
  /** Shows the last part only, which identifies a host state. Instance states are shown in full, because their last parts also occur in other states. */
  short?: boolean;
  live?: boolean;
}

/** Splits a state path into its first part and the rest. */
export function splitStatePath(path: string): { head: string; rest: string } {
  const [head = path, ...rest] = path.split("/");
  return { head, rest: rest.join(" / ") };
}

/** A state in a table cell. If it is too long, its first part is cut: the last one identifies it. Complete on hover. */
export function StateLabel({ tone, path, short = false, live = tone === "working" }: StateLabelProps) {
  const shown = short && !path.startsWith("Assigned/") ? path.slice(path.lastIndexOf("/") + 1) : path;
  const { head, rest } = splitStatePath(shown);
  return (
    <span className="marked-text" title={path.replaceAll("/", " / ")}>
      <Mark tone={tone} live={live} />
      <span className="state-path">
        <span className="cut">{head}</span>
        {rest === "" ? null : <span className="sub cut">&nbsp;/ {rest}</span>}
      </span>
    </span>
  );
}
