// Where a host's "check next" leads, in words, addresses and commands: one form for page, API and command line.
import { hostActions } from "@/server/domain/hosts/host-actions";
import { nextOf, pointedDocs, pointedPages, pointedTabs } from "@/server/domain/lifecycle/next-pointers";
import type { NextPointer } from "@/server/domain/lifecycle/next-pointers";
import type { State } from "@/server/domain/lifecycle/states";

export interface NextStep {
  readonly words: string;
  /** Where the console shows it; null: an act, which the host's page offers, or a document. */
  readonly href: string | null;
  /** The same from a shell; null where there is none. */
  readonly command: string | null;
}

function stepOf(pointer: NextPointer, host: string): NextStep {
  switch (pointer.kind) {
    case "act": {
      const { words, command } = hostActions[pointer.act];
      return { words, href: null, command: `reclaim ${command} ${host}` };
    }
    case "tab":
      return { words: pointedTabs[pointer.tab], href: `/hosts/${encodeURIComponent(host)}?tab=${pointer.tab}`, command: null };
    case "page":
      return { ...pointedPages[pointer.page], command: null };
    case "doc": {
      const { file, heading } = pointedDocs[pointer.doc];
      return { words: `${file}, ${heading}`, href: null, command: null };
    }
  }
}

/** In order. Pure. */
export const nextSteps = (state: State, host: string): readonly NextStep[] => nextOf(state).map((pointer) => stepOf(pointer, host));
