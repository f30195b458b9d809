import { PROGRAMMES as PROGRAMME_KEYS, type Programme } from "@db/enums";
import { PROGRAMME_LABELS } from "@server/contract/messages/inquiries";
import { Braces, Cloud, Download, Smartphone, Waypoints } from "lucide-react";
import type { MouseEvent } from "react";
import { buttonStyle } from "@/ui/button-style";
import {
  APPLY,
  BROCHURE_PATH,
  CALL_TO_ACTION,
  CAREERS,
  CURRICULUM,
  JOURNEY,
  PROGRAMMES,
  PROGRAMMES_TITLE,
  STATS,
} from "./content/careers";
import { CONTACT_LINK } from "./content/firm";
import { InquiryForm } from "./inquiry-form";
import { Journey } from "./journey";
import { ProgrammeCard } from "./programme-card";
import { PublicLayout, type PublicPageProps } from "./public-layout";
import { ReviewArt } from "./review-art";
import { Section } from "./section";

/** `/careers`: programmes, curriculum, journey, application. Spec 2, 9. */
export function CareersPage({ form }: PublicPageProps) {
  return (
    <PublicLayout>
      <section className="grid grid-cols-[minmax(0,1fr)] items-center gap-x-12 gap-y-12 pt-8 pb-12 md:pt-16 md:pb-16 lg:grid-cols-[minmax(0,1fr)_minmax(0,480px)]">
        <div>
          <h1 className="max-w-[9em] text-hero tracking-[-0.035em] [font-weight:650]">{CAREERS.title}</h1>
          <p className="mt-5 max-w-[44ch] text-ink2 text-reading sm:text-lead">{CAREERS.lead}</p>
          <div className="mt-7 flex flex-wrap gap-2.5 print:hidden">
            <a href="#apply" className={buttonStyle({ variant: "primary", size: "lg" })}>
              Apply
            </a>
            <a href="#programmes" className={buttonStyle({ size: "lg" })}>
              See the programmes
            </a>
          </div>
        </div>
        <ReviewArt className="w-full max-w-[480px] max-lg:mx-auto print:hidden" />
      </section>
      <dl className="grid grid-cols-3 gap-x-4 border-line border-y py-6 sm:gap-x-8 md:py-8">
        {STATS.map((stat) => (
          <div key={stat.caption} className="flex flex-col-reverse justify-end">
            <dt className="mt-1 text-dense text-ink2 sm:text-body">{stat.caption}</dt>
            <dd className="font-semibold text-[1.625rem]/8 tracking-[-0.03em] sm:text-[2.75rem]/12">{stat.figure}</dd>
          </div>
        ))}
      </dl>
      <Section id="programmes" title={PROGRAMMES_TITLE}>
        <ul className="grid items-start gap-4 md:grid-cols-3">
          {PROGRAMMES.map((programme) => (
            <ProgrammeCard key={programme.key} programme={programme} onApply={applyHere} />
          ))}
        </ul>
      </Section>
      <Curriculum />
      <Section id="journey" title={JOURNEY.title}>
        <Journey />
      </Section>
      <CallToAction />
      <Section id="apply" title={APPLY.title} lead={APPLY.lead} className="print:hidden">
        <div className="max-w-[760px] rounded-card bg-raised p-5 shadow-1 sm:p-8">
          <InquiryForm kind="application" state={form} subjects={CHOICES} submitLabel="Send application" />
        </div>
      </Section>
    </PublicLayout>
  );
}

const CHOICES = {
  name: "programme",
  label: "Programme",
  none: "Choose a programme",
  options: PROGRAMME_KEYS.map((key): [string, string] => [key, PROGRAMME_LABELS[key]]),
} as const;

/** The form is on this page, so the link's choice is made without a request. */
function applyHere(event: MouseEvent, programme: Programme): void {
  const choice = document.querySelector('select[name="programme"]');
  if (event.ctrlKey || event.metaKey || event.shiftKey || !(choice instanceof HTMLSelectElement)) return;
  event.preventDefault();
  choice.value = programme;
  choice.dispatchEvent(new Event("input", { bubbles: true }));
  history.pushState(null, "", `?programme=${programme}#apply`);
  document.getElementById("apply")?.scrollIntoView();
  document.querySelector<HTMLInputElement>('form input[name="name"]')?.focus({ preventScroll: true });
}

const COURSE_ICONS = { web: Braces, mobile: Smartphone, ai: Waypoints, cloud: Cloud };

function Curriculum() {
  return (
    <Section id="curriculum" title={CURRICULUM.title} lead={CURRICULUM.lead}>
      <ul className="grid gap-4 sm:grid-cols-2 lg:grid-cols-4">
        {CURRICULUM.courses.map((course) => {
          const Icon = COURSE_ICONS[course.key];
          return (
            <li key={course.key} className="flex break-inside-avoid flex-col rounded-card bg-raised p-5 shadow-1">
              <Icon size={20} className="text-brand-text" />
              <h3 className="mt-4 text-h3">{course.name}</h3>
              <p className="mt-1 font-medium text-dense">
                {CURRICULUM.classes}, {course.projects}
              </p>
              <ul className="mt-4 flex flex-col gap-2 border-line border-t pt-4 text-ink2">
                {course.topics.map((topic) => (
                  <li key={topic}>{topic}</li>
                ))}
              </ul>
            </li>
          );
        })}
      </ul>
    </Section>
  );
}

function CallToAction() {
  return (
    <section
      aria-labelledby="questions"
      className="mt-16 flex flex-wrap items-center justify-between gap-x-10 gap-y-6 rounded-dialog bg-brand-soft p-6 sm:p-10 md:mt-24 print:hidden"
    >
      <div>
        <h2 id="questions" className="text-h1">
          {CALL_TO_ACTION.title}
        </h2>
        <p className="mt-2 max-w-[48ch] text-reading">{CALL_TO_ACTION.text}</p>
      </div>
      <div className="flex flex-wrap gap-2.5">
        <a href={CONTACT_LINK.href} className={buttonStyle({ variant: "primary", size: "lg" })}>
          Contact Us
        </a>
        <a href={BROCHURE_PATH} download className={buttonStyle({ size: "lg" })}>
          <Download size={16} />
          {CALL_TO_ACTION.brochure}
        </a>
      </div>
    </section>
  );
}
