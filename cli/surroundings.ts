// What the command runs in: arguments, environment, terminal. Tests pass their own.
import type { Readable, Writable } from "node:stream";

export type Output = Writable & {
  readonly isTTY?: boolean | undefined;
  readonly columns?: number | undefined;
};
type Input = Readable & { readonly isTTY?: boolean | undefined };

/** The environment variables that matter. */
export interface Environment {
  readonly url: string | null;
  readonly token: string | null;
  /** Path of the settings file. */
  readonly config: string | null;
  /** The folder that contains `reclaim/config.json`. */
  readonly configHome: string | null;
  readonly colour: boolean;
  /** A variable that a site document uses for a secret; null if not set. */
  readonly variable: (name: string) => string | null;
}

export interface Surroundings {
  /** Without the program name. */
  readonly args: readonly string[];
  readonly environment: Environment;
  readonly home: string;
  readonly stdin: Input;
  readonly stdout: Output;
  readonly stderr: Output;
  readonly now: () => Date;
  /** Aborted by Ctrl-C. */
  readonly interrupted: AbortSignal;
}

const text = (value: string | undefined): string | null =>
  value === undefined || value === "" ? null : value;

/** `NO_COLOR`: https://no-color.org */
export function loadEnvironmentConfig(env: Readonly<Record<string, string | undefined>>): Environment {
  return {
    url: text(env.RECLAIM_URL),
    token: text(env.RECLAIM_TOKEN),
    config: text(env.RECLAIM_CONFIG),
    configHome: text(env.XDG_CONFIG_HOME),
    colour: text(env.NO_COLOR) === null && env.TERM !== "dumb",
    variable: (name) => text(env[name]),
  };
}
