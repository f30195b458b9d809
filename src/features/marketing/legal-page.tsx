import { formatDay } from "@/lib/format";
import { FIRM } from "./content/firm";
import { PublicLayout } from "./public-layout";

type LegalSection = {
  /** Also the anchor. */
  id: string;
  title: string;
  paragraphs: readonly string[];
  /** A list of terms below the paragraphs. */
  facts?: readonly { term: string; text: string }[];
};
export type LegalText = {
  title: string;
  /** A calendar day. */
  dated: string;
  /** Overrides the formatted day, where its wording is prescribed. */
  datedText?: string;
  lead: string;
  sections: readonly LegalSection[];
};

/** The day of `TERMS_VERSION`, which sign-up records: the two change together. */
export const LEGAL_DAY = "2026-11-23";

/** A legal text with an anchor per heading, a table of contents on wide screens, and a print style. */
export function LegalPage({ text }: { text: LegalText }) {
  return (
    <PublicLayout>
      <div className="grid gap-10 pt-10 md:pt-16 lg:grid-cols-[220px_minmax(0,68ch)] lg:gap-16 print:block">
        <nav aria-label="On this page" className="max-lg:hidden">
          <ul className="flex flex-col lg:sticky lg:top-[104px]">
            {text.sections.map((section) => (
              <li key={section.id}>
                <a
                  href={`#${section.id}`}
                  className="inline-flex min-h-8 items-center py-1 text-ink2 hover:text-ink hover:underline"
                >
                  {section.title}
                </a>
              </li>
            ))}
          </ul>
        </nav>
        <article>
          <h1 className="text-h2 sm:text-hero sm:tracking-[-0.035em]">{text.title}</h1>
          <p className="mt-3 text-ink2">
            Last updated <time dateTime={text.dated}>{text.datedText ?? formatDay(text.dated)}</time>
          </p>
          <p className="mt-6 text-lead">{text.lead}</p>
          {text.sections.map((section) => (
            <section key={section.id} aria-labelledby={section.id} className="mt-10">
              <h2 id={section.id} tabIndex={-1} className="text-h3">
                {section.title}
              </h2>
              {section.paragraphs.map((paragraph) => (
                <p key={paragraph} className="mt-3 text-ink2 text-reading">
                  <Linked text={paragraph} />
                </p>
              ))}
              {section.facts && (
                <dl className="mt-5 border-line border-b">
                  {section.facts.map(({ term, text: fact }) => (
                    <div
                      key={term}
                      className="grid break-inside-avoid gap-x-6 border-line border-t py-3 text-reading sm:grid-cols-[180px_minmax(0,1fr)]"
                    >
                      <dt className="font-medium">{term}</dt>
                      <dd className="text-ink2">{fact}</dd>
                    </div>
                  ))}
                </dl>
              )}
            </section>
          ))}
        </article>
      </div>
    </PublicLayout>
  );
}

/** The firm's address in a sentence as a link. */
function Linked({ text }: { text: string }) {
  const [before, after] = text.split(FIRM.email);
  if (after === undefined) return text;
  return (
    <>
      {before}
      <a href={`mailto:${FIRM.email}`} className="font-medium text-brand-text underline underline-offset-4">
        {FIRM.email}
      </a>
      {after}
    </>
  );
}
