// The texts of an act's dialog: title, consequence and button.
import type { HostAction, HostDetail } from "@/server/surfaces/trpc/types";

export const askText = (
  { name }: Pick<HostDetail, "name">,
  { words, consequence }: Pick<HostAction, "words" | "consequence">,
) => ({
  title: `${words}: ${name}?`,
  consequence,
  confirmWords: words,
});
