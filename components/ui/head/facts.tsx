// A list of facts about a thing, shown beside its head.
import { Fragment, type ReactNode } from "react";

export type Fact = readonly [term: string, fact: ReactNode];

export const Facts = ({ facts }: { facts: readonly Fact[] }) => (
  <dl className="facts">
    {facts.map(([term, fact], index) => (
      <Fragment key={`${term} ${index}`}>
        <dt>{term}</dt>
        <dd>{fact}</dd>
      </Fragment>
    ))}
  </dl>
);
