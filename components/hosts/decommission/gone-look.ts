// Labels and marks for how a host left the fleet.
import type { Tone } from "@/components/ui/tone";
import type { GoneHost } from "@/server/surfaces/trpc/types";

export const goneLook = {
  decommissioned: { tone: "neutral", words: "Decommissioned: its certificate says what is proven" },
  deleted: { tone: "attention", words: "Deleted: nothing was proven" },
  fake: { tone: "neutral", words: "Fake hardware: there was no machine behind it" },
} as const satisfies Record<GoneHost["how"], { readonly tone: Tone; readonly words: string }>;
