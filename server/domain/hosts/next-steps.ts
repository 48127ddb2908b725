// The next steps for a host as text, links and commands, in one form for page, API and command line.
import { slug } from "github-slugger";
import { z } from "zod";
import { hostActions } from "@/server/domain/hosts/host-actions";
import { nextOf, pointedDocs, pointedPages, pointedTabs } from "@/server/domain/lifecycle/next-pointers";
import type { NextPointer } from "@/server/domain/lifecycle/next-pointers";
import type { StoredState } from "@/server/domain/lifecycle/states";
import { routes } from "@/server/domain/console/routes";

export const nextStep = z
  .strictObject({
    words: z.string(),
    /** Where the console shows it; null: an action on the host's page. */
    href: z.string().nullable(),
    /** The equivalent command; null if there is none. */
    command: z.string().nullable(),
  })
  .readonly();
export type NextStep = z.infer<typeof nextStep>;

function stepOf(pointer: NextPointer, host: string): NextStep {
  switch (pointer.kind) {
    case "act": {
      const { words, command } = hostActions[pointer.act];
      return { words, href: null, command: `reclaim ${command} ${host}` };
    }
    case "tab":
      return {
        words: pointedTabs[pointer.tab],
        href: routes.host(host, { tab: pointer.tab }),
        command: null,
      };
    case "page":
      return { ...pointedPages[pointer.page], command: null };
    case "doc": {
      const { page, heading } = pointedDocs[pointer.doc];
      return { words: `${heading} (docs/${page}.md)`, href: routes.help(page, slug(heading)), command: null };
    }
  }
}

/** In order. Pure. */
export const nextSteps = (state: StoredState, host: string): readonly NextStep[] =>
  nextOf(state).map((pointer) => stepOf(pointer, host));
