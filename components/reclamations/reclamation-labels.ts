// Labels for kinds of reclamations.
import type { ReclamationHead } from "@/server/surfaces/trpc/types";

/** "release", "manual cleaning". */
export const reclamationKindLabel = (kind: string): string =>
  kind.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);

/** A manual cleaning proves nothing and ends in Manageable. */
export const isManual = ({ kind }: Pick<ReclamationHead, "kind">): boolean => kind === "manualCleaning";
