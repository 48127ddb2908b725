// What is known of a thing, as terms and facts beside its head.
import { Fragment, type ReactNode } from "react";

/** A term and what it is. */
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
