// What the palette's dialog gives to the part of it that is loaded later.
import type { PageName } from "@/server/domain/console/routes";

export const placeholder = "Find a host, drive, tenant, page or action";

export interface PaletteBodyProps {
  readonly shown: readonly PageName[];
  readonly close: () => void;
  readonly text: string;
  readonly setText: (text: string) => void;
}
