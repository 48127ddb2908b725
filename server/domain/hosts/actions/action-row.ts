// Texts of an action on a host, wherever it is offered.
import type { Right } from "@/server/domain/access/access";

export interface ActionRow {
  readonly words: string;
  /** What it does, in one line for the OpenAPI document and the command's help. */
  readonly summary: string;
  /** What will happen, in a sentence or two. */
  readonly consequence: string;
  /** Asks for confirmation. */
  readonly danger: boolean;
  readonly right: Right;
  /** The equivalent command: words after `reclaim`. */
  readonly command: string;
}
