// What the dialog of an act on a host says: which act on which host, what will happen, and the button.
import type { HostAction, HostDetail } from "@/server/surfaces/trpc/types";

export const askWords = (
  { name }: Pick<HostDetail, "name">,
  { words, consequence }: Pick<HostAction, "words" | "consequence">,
) => ({
  title: `${words}: ${name}?`,
  consequence: <p>{consequence}</p>,
  confirmWords: words,
});
