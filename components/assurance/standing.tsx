// A standing with its mark: what is proven of a host or by a reclamation, in the words of `domain/assurance/standing.ts`.
import { Mark } from "@/components/ui/mark";
import { standingMeaning, standingText, standingTone } from "@/server/domain/assurance/standing";
import type { Standing } from "@/server/domain/assurance/standing";

interface StandingLabelProps {
  /** Null: a reclamation that is in progress. */
  readonly standing: Standing | null;
  /** Without a colour, where something else on the row says what is going on. */
  readonly quiet?: boolean;
}

/** The whole meaning on hover. */
export function StandingLabel({ standing, quiet = false }: StandingLabelProps) {
  if (standing === null) return <span className="text-quiet">–</span>;
  const tone = quiet ? "neutral" : standingTone[standing];
  return (
    <span className="marked-text" title={standingMeaning[standing]}>
      {quiet ? null : <Mark tone={tone} label="" />}
      <span className={tone === "neutral" ? "text-quiet cut" : "tone cut"} data-tone={tone}>
        {standingText[standing]}
      </span>
    </span>
  );
}
