// A name without spaces that may wrap after its dots, underscores and slashes.
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
