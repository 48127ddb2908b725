// What the palette finds.
import type { State } from "@/server/domain/lifecycle/states";
import type { Tone } from "@/server/domain/lifecycle/state-table";

export interface SearchAnswer {
  readonly hosts: readonly { readonly id: string; readonly name: string; readonly state: State; readonly tone: Tone; readonly words: string }[];
  readonly instances: readonly { readonly id: string; readonly name: string; readonly hostName: string | null; readonly words: string }[];
}
