// What a form shows of the effect of a change before it is saved, and whether the form has to wait for it.
import type { ReactNode } from "react";
import { ProblemNotice } from "@/components/trpc/problem-notice";
import { Notice } from "@/components/ui/notice";

export interface ShownEffect {
  /** For the form, above its button. */
  readonly effect: ReactNode;
  /**
   * Why the form cannot be sent yet. Otherwise somebody could confirm before the effect is shown, or miss the button, which the effect moves when it
   * arrives. Undefined once it is shown, and if it cannot be calculated: the change may be necessary even then, and the server checks it anyway.
   */
  readonly calculating: string | undefined;
}

export const noEffect: ShownEffect = { effect: null, calculating: undefined };

export const calculatingWords = "Calculating the effect…";

interface EffectQuery {
  readonly error: unknown;
  /** The browser is offline. */
  readonly isPaused: boolean;
  readonly refetch: () => Promise<unknown>;
}

/** @param content undefined while it is calculated @param head above the content, whatever it is */
export function effectOf(
  { error, isPaused, refetch }: EffectQuery,
  content: ReactNode | undefined,
  { label = "What would change", head }: { readonly label?: string; readonly head?: ReactNode } = {},
): ShownEffect {
  const shown = (inner: ReactNode): ReactNode => (
    <section aria-label={label}>
      {head}
      {inner}
    </section>
  );
  if (error !== null) {
    const before = "The effect could not be calculated.";
    return {
      effect: shown(<ProblemNotice error={error} before={before} onRetry={() => void refetch()} />),
      calculating: undefined,
    };
  }
  if (isPaused) {
    const words = "You are offline. The effect is calculated when the connection is back.";
    return { effect: shown(<Notice tone="attention">{words}</Notice>), calculating: undefined };
  }
  return content === undefined
    ? { effect: shown(<p role="status">{calculatingWords}</p>), calculating: calculatingWords }
    : { effect: shown(content), calculating: undefined };
}
