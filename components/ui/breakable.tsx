// A name that has no spaces, and breaks behind its dots, underscores and slashes where it must break at all.
import { Fragment } from "react";

export function Breakable({ text }: { text: string }) {
  const parts = text.split(/(?<=[._/])/);
  return parts.map((part, index) => (
    <Fragment key={index}>
      {index === 0 ? null : <span className="joint" />}
      {part}
    </Fragment>
  ));
}
