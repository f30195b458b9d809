import { Check } from "lucide-react";
import type { ReactNode } from "react";
import { BrandMark } from "@/ui/brand-mark";
import { CAREERS, CURRICULUM, JOURNEY, PROGRAMMES, PROGRAMMES_TITLE, STATS } from "./content/careers";
import { FIRM } from "./content/firm";
import { Journey } from "./journey";

/** The programmes on two A4 pages, which `npm run assets` prints. The same text as /careers. */
export function Brochure() {
  return (
    <main className="w-[794px] bg-canvas text-ink">
      <Sheet>
        <h1 className="mt-10 max-w-[9em] text-[54px]/[1.02] tracking-[-0.035em] [font-weight:650]">{CAREERS.title}</h1>
        <p className="mt-5 max-w-[46ch] text-ink2 text-lead">{CAREERS.lead}</p>
        <dl className="mt-7 grid grid-cols-3 gap-x-8 border-line border-y py-5">
          {STATS.map((stat) => (
            <div key={stat.caption} className="flex flex-col-reverse">
              <dt className="mt-1 text-body text-ink2">{stat.caption}</dt>
              <dd className="font-semibold text-[2.25rem]/10 tracking-[-0.03em]">{stat.figure}</dd>
            </div>
          ))}
        </dl>
        <h2 className="mt-8 text-h2">{PROGRAMMES_TITLE}</h2>
        <div className="mt-5 grid grid-cols-3 gap-4">
          {PROGRAMMES.map((programme) => (
            <section key={programme.key} className="rounded-card border border-line bg-raised p-4">
              <h3 className="text-lead">{programme.name}</h3>
              <p className="mt-3 font-semibold text-[1.5rem]/8 tracking-[-0.03em]">{programme.price}</p>
              <p className="min-h-[42px] text-ink2">{programme.per}</p>
              <p className="mt-3">{programme.text}</p>
              <ul className="mt-4 flex flex-col gap-2 text-ink2">
                {programme.more.map((point) => (
                  <li key={point} className="flex gap-2">
                    <Check size={16} className="stroke-2 mt-0.5 shrink-0 text-brand-text" />
                    <span>{point}</span>
                  </li>
                ))}
              </ul>
            </section>
          ))}
        </div>
      </Sheet>
      <Sheet>
        <h2 className="mt-10 text-h2">{CURRICULUM.title}</h2>
        <p className="mt-3 max-w-[60ch] text-ink2 text-lead">{CURRICULUM.lead}</p>
        <div className="mt-6 grid grid-cols-2 gap-4">
          {CURRICULUM.courses.map((course) => (
            <section key={course.key} className="rounded-card border border-line bg-raised p-5">
              <h3 className="text-h3">{course.name}</h3>
              <p className="mt-1 font-medium text-dense">
                {CURRICULUM.classes}, {course.projects}
              </p>
              <ul className="mt-3 flex flex-col gap-1 text-ink2">
                {course.topics.map((topic) => (
                  <li key={topic}>{topic}</li>
                ))}
              </ul>
            </section>
          ))}
        </div>
        <h2 className="mt-10 mb-6 text-h2">{JOURNEY.title}</h2>
        <Journey />
        <section className="mt-9 rounded-dialog bg-brand-soft p-7">
          <h2 className="text-h1">Write to us</h2>
          <p className="mt-2 text-reading">
            {FIRM.reply} {FIRM.hours}.
          </p>
          <p className="mt-2 text-reading">
            <a href={`mailto:${FIRM.email}`} className="font-medium text-brand-text underline underline-offset-4">
              {FIRM.email}
            </a>
          </p>
        </section>
      </Sheet>
    </main>
  );
}

function Sheet({ children }: { children: ReactNode }) {
  return (
    <div className="flex h-[1122px] w-[794px] break-after-page flex-col overflow-hidden px-14 py-12 last:break-after-auto">
      <div className="flex items-center justify-between">
        <p className="flex items-center gap-2.5 font-display font-semibold text-[17px] tracking-[-0.02em]">
          <BrandMark />
          {FIRM.name}
        </p>
        <p className="text-dense text-ink2">{FIRM.place}</p>
      </div>
      <div className="min-h-0 flex-1">{children}</div>
    </div>
  );
}
