import { splitMentions, type TextPart } from "@server/contract/mentions";
import { isWebUrl } from "@server/contract/web-url";
import { Marked, type MarkedToken, type Token, type Tokens } from "marked";
import { Fragment, type ReactNode, useMemo } from "react";
import { cn } from "@/lib/cn";

export type MarkdownProps = {
  text: string;
  /** Mentions of this person stand out. */
  ownId?: string | undefined;
  className?: string | undefined;
};

interface MentionToken extends Extract<TextPart, { type: "mention" }> {
  raw: string;
}
type KnownToken = MarkedToken | MentionToken;

/** Deeper than that, the text is shown as it was written. */
const MAX_DEPTH = 8;
/** The form of a mention, at the beginning: cheap to refuse. */
const MENTION = /^@\[(?:[^\]\\\n]|\\[\]\\]){0,400}\]\(person:[0-9a-f-]{36}\)/i;
/** A line of twenty quotes or lists in each other: reading thousands takes seconds, or all of the stack. */
const NESTED = /^(?:[ \t]*(?:>|(?:[*+-]|\d{1,9}[.)])[ \t])){20}/m;
const ignore = () => undefined;

const markdown = new Marked({
  gfm: true,
  breaks: true,
  // What is not of the subset is text.
  tokenizer: { html: ignore, tag: ignore, code: ignore, def: ignore, table: ignore, lheading: ignore, reflink: ignore },
  extensions: [
    {
      name: "mention",
      level: "inline",
      start: (text) => text.indexOf("@["),
      tokenizer(text): MentionToken | undefined {
        const [raw] = MENTION.exec(text) ?? [];
        const [part] = raw === undefined ? [] : splitMentions(raw);
        return raw !== undefined && part?.type === "mention" ? { ...part, raw } : undefined;
      },
    },
  ],
});

/**
 * Markdown as people write it in comments: paragraphs, emphasis, code, lists, quotes and links. Everything else, HTML too, shows as
 * the text it is. Heavy (a parser): show it as `MarkdownText`.
 */
export function Markdown({ text, ownId, className }: MarkdownProps) {
  const tokens = useMemo(() => parse(text), [text]);
  return (
    <div className={cn("grid min-w-0 gap-2 [overflow-wrap:anywhere]", className)}>
      {tokens === null ? (
        <p dir="auto" className="whitespace-pre-line">
          {text}
        </p>
      ) : (
        <Tree tokens={tokens} depth={0} ownId={ownId} />
      )}
    </div>
  );
}

/** Null for what nests too deeply to be read. */
function parse(text: string): Token[] | null {
  try {
    return NESTED.test(text) ? null : markdown.lexer(text);
  } catch {
    return null;
  }
}

type Place = { depth: number; ownId: string | undefined };

function Tree({ tokens, ...place }: Place & { tokens: readonly Token[] }) {
  let at = 0;
  return tokens.map((token) => {
    const key = at;
    at += token.raw.length;
    return <Fragment key={key}>{isKnown(token) ? <Node token={token} {...place} /> : token.raw}</Fragment>;
  });
}

const KNOWN = new Set(
  "blockquote br checkbox code codespan del em escape heading hr image link list mention paragraph space strong text".split(
    " ",
  ),
);

function isKnown(token: Token): token is KnownToken {
  return KNOWN.has(token.type);
}

function Node({ token, depth, ownId }: Place & { token: KnownToken }): ReactNode {
  const inside = (tokens: readonly Token[]) =>
    depth < MAX_DEPTH ? (
      <Tree tokens={tokens} depth={depth + 1} ownId={ownId} />
    ) : (
      tokens.map(({ raw }) => raw).join("")
    );
  switch (token.type) {
    case "paragraph":
      return <p dir="auto">{inside(token.tokens)}</p>;
    case "heading":
      return (
        <p dir="auto" className="font-semibold">
          {inside(token.tokens)}
        </p>
      );
    case "code":
      return <CodeBlock text={token.text} />;
    case "blockquote":
      return <blockquote className="grid gap-2 border-line-strong border-s-2 ps-3">{inside(token.tokens)}</blockquote>;
    case "list":
      return <List list={token} inside={inside} />;
    case "hr":
      return <hr className="border-line" />;
    case "text":
      return token.tokens ? inside(token.tokens) : token.text;
    case "mention":
      return <Mention name={token.name} isOwn={token.id === ownId} />;
    case "image":
      return <Link href={token.href}>{token.text || token.href}</Link>;
    case "link":
      return <Link href={token.href}>{inside(token.tokens)}</Link>;
    default:
      return marked(token, inside);
  }
}

/** What stands inside a line. */
function marked(token: KnownToken, inside: (tokens: readonly Token[]) => ReactNode): ReactNode {
  switch (token.type) {
    case "strong":
      return <strong className="font-semibold">{inside(token.tokens)}</strong>;
    case "em":
      return <em>{inside(token.tokens)}</em>;
    case "del":
      return <del>{inside(token.tokens)}</del>;
    case "codespan":
      return <code className="rounded-[4px] bg-sunken px-1 py-px font-mono text-[0.92em]">{token.text}</code>;
    case "escape":
      return token.text;
    case "br":
      return <br />;
    case "checkbox":
      return token.checked ? "\u2611 " : "\u2610 ";
    case "space":
      return null;
    default:
      return token.raw;
  }
}

function CodeBlock({ text }: { text: string }) {
  return (
    <pre className="whitespace-pre-wrap rounded-control border border-line bg-sunken px-3 py-2 font-mono text-dense">
      <code>{text}</code>
    </pre>
  );
}

function List({ list, inside }: { list: Tokens.List; inside: (tokens: readonly Token[]) => ReactNode }) {
  let at = 0;
  const items = list.items.map((item) => {
    const key = at;
    at += item.raw.length;
    return (
      <li key={key} dir="auto" className="*:not-first:mt-1">
        {inside(item.tokens)}
      </li>
    );
  });
  if (!list.ordered) return <ul className="grid list-disc gap-1 ps-5">{items}</ul>;
  return (
    <ol start={list.start === "" ? undefined : list.start} className="grid list-decimal gap-1 ps-6">
      {items}
    </ol>
  );
}

/** An address that is not the web's or a mail's is shown, and leads nowhere. */
function Link({ href, children }: { href: string; children: ReactNode }) {
  if (!isWebUrl(href) && !MAIL.test(href)) return children;
  return (
    <a
      href={href}
      target="_blank"
      rel="noopener noreferrer nofollow"
      className="no-url text-brand-text underline underline-offset-2"
    >
      {children}
    </a>
  );
}

const MAIL = /^mailto:[^?]+$/i;

function Mention({ name, isOwn }: { name: string; isOwn: boolean }) {
  return (
    <span
      className={cn(
        "rounded-[5px] px-1 font-medium",
        isOwn ? "bg-brand-soft text-brand-text" : "bg-blue-soft text-blue",
      )}
    >
      <bdi>@{name}</bdi>
    </span>
  );
}
