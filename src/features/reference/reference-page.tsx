import type { ReactNode } from "react";
import { cn } from "@/lib/cn";
import { BrandMark } from "@/ui/brand-mark";
import { buttonStyle } from "@/ui/button-style";
import { SkipLink } from "@/ui/skip-link";
import { TONE_FILL } from "@/ui/tone";
import type { Reference, ReferenceProcedure } from "./reference-document";
import { SchemaText } from "./schema-text";

type ReferencePageProps = { reference: Reference };

/** `/docs`: every procedure and type on one page, each with an anchor. Rendered at build; runs no script. */
export function ReferencePage({ reference: { introduction, commonRefusals, routers, types } }: ReferencePageProps) {
  return (
    <>
      <SkipLink />
      <Header />
      <div className="mx-auto max-w-[1180px] px-5 sm:px-8 lg:grid lg:grid-cols-[220px_minmax(0,1fr)] lg:gap-12 print:px-0">
        <Contents routers={routers} />
        <main id="main" tabIndex={-1} className="min-w-0 pt-8 pb-20">
          <h1 className="text-h2">API reference</h1>
          <p className="mt-3 text-ink2 text-lead">
            Every procedure: what it takes, answers and refuses, and who may call it.
          </p>
          <section aria-labelledby="on-the-wire" className="mt-8 max-w-[72ch]">
            <h2 id="on-the-wire" tabIndex={-1} className="text-h1">
              On the wire
            </h2>
            {introduction.map((paragraph) => (
              <p key={paragraph} className="wrap-break-word mt-3 text-ink2">
                <RichText text={paragraph} />
              </p>
            ))}
          </section>
          <section aria-labelledby="refusals" className="mt-14 max-w-[72ch]">
            <h2 id="refusals" tabIndex={-1} className="text-h1">
              Refusals
            </h2>
            <p className="mt-3 text-ink2">
              What many procedures say. Each procedure lists its statuses, and what else it says with them.
            </p>
            <RefusalList refusals={commonRefusals} />
          </section>
          {routers.map(({ name, procedures }) => (
            <section key={name} aria-labelledby={name} className="mt-14">
              <h2 id={name} tabIndex={-1} className="text-h1">
                {name}
              </h2>
              {procedures.map((procedure) => (
                <Procedure key={procedure.path} procedure={procedure} />
              ))}
            </section>
          ))}
          <section aria-labelledby="types" className="mt-14">
            <h2 id="types" tabIndex={-1} className="text-h1">
              Types
            </h2>
            {types.map(({ name, schema }) => (
              <Entry key={name} id={name} title={name} description={schema.description ?? null}>
                <SchemaText schema={schema} />
              </Entry>
            ))}
          </section>
        </main>
      </div>
    </>
  );
}

function Header() {
  return (
    <header className="sticky top-0 z-30 border-line border-b bg-canvas/96 print:hidden">
      <div className="mx-auto flex h-[60px] max-w-[1180px] items-center gap-2 px-5 sm:px-8">
        <a href="/" className="me-auto flex min-h-11 items-center gap-2.5 rounded-control pe-1">
          <BrandMark />
          <span className="font-display font-semibold text-[17px] tracking-[-0.02em]">Sangam</span>
        </a>
        <a href="/api/openapi.json" className={buttonStyle({ variant: "quiet" })}>
          OpenAPI
        </a>
        <a href="/login" className={buttonStyle({ variant: "secondary" })}>
          Sign in
        </a>
      </div>
    </header>
  );
}

function Contents({ routers }: Pick<Reference, "routers">) {
  return (
    <nav
      aria-label="On this page"
      className="max-lg:hidden lg:sticky lg:top-[60px] lg:max-h-[calc(100dvh-60px)] lg:overflow-y-auto lg:py-8 print:hidden"
    >
      <ul>
        <ContentsLink href="#on-the-wire">On the wire</ContentsLink>
        <ContentsLink href="#refusals">Refusals</ContentsLink>
        {routers.map(({ name, procedures }) => (
          <li key={name} className="mt-3">
            <ContentsHeading href={`#${name}`}>{name}</ContentsHeading>
            <ul>
              {procedures.map(({ path, label }) => (
                <ContentsLink key={path} href={`#${path}`}>
                  {label}
                </ContentsLink>
              ))}
            </ul>
          </li>
        ))}
        <li className="mt-3">
          <ContentsHeading href="#types">Types</ContentsHeading>
        </li>
      </ul>
    </nav>
  );
}

function ContentsHeading({ href, children }: { href: string; children: ReactNode }) {
  return (
    <a href={href} className="inline-flex min-h-7 items-center font-medium hover:underline">
      {children}
    </a>
  );
}

function ContentsLink({ href, children }: { href: string; children: ReactNode }) {
  return (
    <li>
      <a href={href} className="inline-flex min-h-7 items-center text-ink2 hover:text-ink hover:underline">
        {children}
      </a>
    </li>
  );
}

const KIND_TONES = {
  query: "blue",
  mutation: "orange",
  subscription: "green",
  download: "grey",
  report: "grey",
  webhook: "grey",
} as const;

function Procedure({ procedure }: { procedure: ReferenceProcedure }) {
  const { path, method, kind, access, limit, description, input, output, statuses, refusals } = procedure;
  return (
    <Entry id={path} title={method ? `${method} ${path}` : path} description={description} mark={<Kind kind={kind} />}>
      <p className="text-dense text-ink2">
        For {access}
        {limit && `; ${limit}`}.
      </p>
      {input && (
        <Part title="Input">
          <SchemaText schema={input} />
        </Part>
      )}
      <Part title={kind === "subscription" ? "Event" : "Output"}>
        <SchemaText schema={output} />
      </Part>
      <p className="mt-4 text-dense text-ink2">Refuses with {statuses.join(", ")}.</p>
      <RefusalList refusals={refusals} />
    </Entry>
  );
}

/** Without an icon: icons would be a tenth of the page's elements. */
function Kind({ kind }: Pick<ReferenceProcedure, "kind">) {
  return (
    <span className={cn("rounded-pill px-2.5 py-1 font-medium text-meta", TONE_FILL[KIND_TONES[kind]])}>{kind}</span>
  );
}

function RefusalList({ refusals }: Pick<ReferenceProcedure, "refusals">) {
  if (refusals.length === 0) return null;
  return (
    <ul className="mt-2 flex flex-col gap-1 text-dense text-ink2">
      {refusals.map(({ status, code, sentences }) => (
        <li key={status}>
          {status} {code}: {sentences.join(" ")}
        </li>
      ))}
    </ul>
  );
}

type EntryProps = { id: string; title: string; description: string | null; mark?: ReactNode; children: ReactNode };

function Entry({ id, title, description, mark, children }: EntryProps) {
  return (
    <article className="mt-6 scroll-mt-20 border-line border-t pt-5" id={id} aria-labelledby={`${id}-title`}>
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <h3 id={`${id}-title`} className="wrap-break-word min-w-0 font-mono font-semibold text-body tracking-normal">
          <a href={`#${id}`} className="inline-flex min-h-6 items-center hover:underline">
            {title}
          </a>
        </h3>
        {mark}
      </div>
      {description && (
        <p className="mt-1.5 max-w-[72ch]">
          <RichText text={description} />
        </p>
      )}
      <div className="mt-2">{children}</div>
    </article>
  );
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <>
      <h4 className="mt-4 mb-1.5 font-medium font-sans text-dense tracking-normal">{title}</h4>
      {children}
    </>
  );
}

/** A sentence in which backticks mark code. */
function RichText({ text }: { text: string }) {
  return text.split("`").map((part, at) =>
    at % 2 === 1 ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a sentence never change places
      <code key={at} className="rounded-check bg-sunken px-1 py-0.5 text-dense">
        {part}
      </code>
    ) : (
      part
    ),
  );
}
