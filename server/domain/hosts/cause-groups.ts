// What hosts of a list stand under where they are grouped by cause: the same words for the group that the server counts and for a row.

/** Groups of hosts that have not failed. */
export const overLimitGroup = "Over its state's limit";
export const notFailedGroup = "Not failed";

/** Of failures: cause and model. Pure. */
export const failureGroupWords = ({
  words,
  model,
}: {
  readonly words: string;
  readonly model: string;
}): string => `${words}, ${model}`;

/** The group that a row is in. Pure. */
export const causeGroupOf = (host: {
  readonly failure: { readonly words: string; readonly model: string } | null;
  readonly overLimit: boolean;
}): string =>
  host.failure !== null ? failureGroupWords(host.failure) : host.overLimit ? overLimitGroup : notFailedGroup;
