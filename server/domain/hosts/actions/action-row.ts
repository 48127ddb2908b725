// What is said of an action on a host, wherever it is offered.
import type { Right } from "@/server/domain/access/access";

export interface ActionRow {
  readonly words: string;
  /** What it does, one line: in the OpenAPI document and in the help of the command. */
  readonly summary: string;
  /** What will happen, in one sentence. */
  readonly consequence: string;
  /** Asks again before it is done. */
  readonly danger: boolean;
  readonly right: Right;
  /** The same from a shell: words after `reclaim`. */
  readonly command: string;
}
