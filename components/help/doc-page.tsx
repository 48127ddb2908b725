// One page of the docs, with the sections that it has.
import GithubSlugger from "github-slugger";
import Markdown from "markdown-to-jsx/react";
import Link from "next/link";
import { Children } from "react";
import type { ComponentProps, ReactNode } from "react";
import {
  docLink,
  docsIndex,
  glossary,
  headingsOf,
  wordAnchor,
  type DocPage,
} from "@/server/domain/help/docs";
import { routes } from "@/server/domain/console/routes";

/** Sections of a page with fewer need no list of them. */
const fewestSections = 3;

const linkOf = (page: DocPage) =>
  function DocAnchor({ href = "", children }: ComponentProps<"a">) {
    const link = docLink(page, href);
    if (link.kind === "repository")
      return <span title={`${link.path} in Reclaim's repository`}>{children}</span>;
    if (link.kind === "help") return <Link href={link.href}>{children}</Link>;
    return (
      <a href={link.href} target="_blank" rel="noreferrer">
        {children}
      </a>
    );
  };

/** A group and no region: of these a page may have only one with a name. */
const WideTable = (props: ComponentProps<"table">) => (
  <div className="wide-table" role="group" aria-label="Table" tabIndex={0}>
    <table {...props} />
  </div>
);

/** A column without a name has no heading to be read out. */
const ColumnHead = (props: ComponentProps<"th">) =>
  Children.count(props.children) === 0 ? <td /> : <th {...props} />;

const CodeBlock = (props: ComponentProps<"pre">) => <pre {...props} tabIndex={0} />;

/** A word of the glossary, to which a search leads. */
const Word = ({ children }: { children?: ReactNode }) => {
  const [word] = Array.isArray(children) ? children : [children];
  return <strong {...(typeof word === "string" ? { id: wordAnchor(word) } : {})}>{children}</strong>;
};

/** @param text Markdown, of our own repository */
export function DocPageView({ page, text }: { page: DocPage; text: string }) {
  const slugger = new GithubSlugger();
  const sections = headingsOf(text).map(({ level, words }) => ({
    level,
    words,
    anchor: slugger.slug(words),
  }));
  const chapters = sections.filter(({ level }) => level === 2);
  const ids = new GithubSlugger();
  return (
    <div className="help">
      <article>
        {page === docsIndex ? null : (
          <p className="text-quiet">
            <Link href={routes.help()}>Help</Link>
          </p>
        )}
        <Markdown
          options={{
            wrapper: null,
            slugify: (words) => ids.slug(words),
            overrides: {
              a: linkOf(page),
              table: WideTable,
              th: ColumnHead,
              pre: CodeBlock,
              ...(page === glossary ? { strong: Word } : {}),
            },
          }}
        >
          {text}
        </Markdown>
      </article>
      {chapters.length < fewestSections ? null : (
        <nav aria-label="On this page">
          <h2>On this page</h2>
          <ul>
            {chapters.map(({ words, anchor }) => (
              <li key={anchor}>
                <a href={`#${anchor}`}>{words}</a>
              </li>
            ))}
          </ul>
        </nav>
      )}
    </div>
  );
}
