import {
  ArrowRight,
  Eye,
  GitBranch,
  HandHeart,
  LifeBuoy,
  type LucideIcon,
  MessageCircle,
  Ruler,
  Sprout,
} from "lucide-react";
import type { ReactNode } from "react";
import { cn } from "@/lib/cn";
import { buttonStyle } from "@/ui/button-style";
import { COUNTERS, FIRM, GOALS, HERO, VALUES } from "./content";
import { PublicLayout } from "./public-layout";
import { ThreadArt } from "./thread-art";

/** `/`: who we are, what we aim at, how to reach us. Spec 2. */
export function LandingPage() {
  return (
    <PublicLayout>
      <section className="grid items-center gap-x-10 gap-y-10 pt-8 pb-12 md:pt-16 md:pb-16 lg:grid-cols-[minmax(0,1fr)_minmax(0,525px)]">
        <div>
          <h1 className="max-w-[12em] text-hero tracking-[-0.035em] [font-weight:650]">{HERO.title}</h1>
          <p className="mt-5 max-w-[44ch] text-ink2 text-reading sm:text-lead">{HERO.lead}</p>
          <div className="mt-7 flex flex-wrap gap-2.5">
            <a href="#contact" className={buttonStyle({ variant: "primary", size: "lg" })}>
              Contact us
            </a>
            <a href="/signup" className={buttonStyle({ size: "lg" })}>
              Create an account
              <ArrowRight aria-hidden="true" size={16} strokeWidth={1.75} />
            </a>
          </div>
        </div>
        <ThreadArt className="w-full max-w-[525px] max-lg:mx-auto" />
      </section>
      <Counters />
      <Section id="about" title="About Us">
        <ul className="grid gap-x-8 gap-y-8 sm:grid-cols-2 lg:grid-cols-3">
          {VALUES.map((value) => (
            <Statement key={value.key} icon={VALUE_ICONS[value.key]} title={value.title} text={value.text} />
          ))}
        </ul>
      </Section>
      <Section id="goal" title="Our Goal">
        <ul className="grid gap-4 sm:grid-cols-2 lg:grid-cols-4">
          {GOALS.map((goal) => (
            <Statement key={goal.key} icon={GOAL_ICONS[goal.key]} title={goal.title} text={goal.text} isCard />
          ))}
        </ul>
      </Section>
      <Contact />
    </PublicLayout>
  );
}

const VALUE_ICONS = { care: HandHeart, measure: Ruler, grow: Sprout };
const GOAL_ICONS = { watch: Eye, answer: MessageCircle, own: GitBranch, stay: LifeBuoy };

function Counters() {
  return (
    <dl className="grid grid-cols-[max-content_1fr_1fr] gap-x-8 border-line border-y py-6 sm:grid-cols-3 md:py-8">
      {COUNTERS.map((counter) => (
        <div key={counter.caption} className="flex flex-col-reverse">
          <dt className="mt-1 text-dense text-ink2 sm:text-body">{counter.caption}</dt>
          <dd className="font-semibold text-[1.625rem]/8 tracking-[-0.03em] sm:text-[2.75rem]/12">{counter.figure}</dd>
        </div>
      ))}
    </dl>
  );
}

type SectionProps = { id: string; title: string; children: ReactNode };

function Section({ id, title, children }: SectionProps) {
  return (
    <section aria-labelledby={id} className="pt-16 md:pt-20">
      {/* The heading takes the focus when its link is followed. */}
      <h2 id={id} tabIndex={-1} className="mb-7 text-h2">
        {title}
      </h2>
      {children}
    </section>
  );
}

type StatementProps = { icon: LucideIcon; title: string; text: string; isCard?: boolean };

function Statement({ icon: Icon, title, text, isCard = false }: StatementProps) {
  return (
    <li className={isCard ? "rounded-card bg-raised p-5 shadow-1" : undefined}>
      <Icon aria-hidden="true" size={20} strokeWidth={1.75} className="text-brand-text" />
      <h3 className="mt-4 text-lead">{title}</h3>
      <p className="mt-1 max-w-[44ch] text-ink2">{text}</p>
    </li>
  );
}

function Contact() {
  return (
    <Section id="contact" title="Contact">
      <div className="grid gap-8 rounded-card bg-raised p-6 shadow-1 sm:p-8 md:grid-cols-[1.2fr_1fr] md:items-center">
        <div>
          <p className="max-w-[40ch] text-reading sm:text-lead">
            Tell us what should work on Monday. A few lines are enough; a person reads them.
          </p>
          <a href={`mailto:${FIRM.email}`} className={cn("mt-5", buttonStyle({ variant: "primary", size: "lg" }))}>
            {FIRM.email}
          </a>
        </div>
        <dl className="grid gap-5 border-line border-t pt-6 md:border-s md:border-t-0 md:ps-8 md:pt-0">
          <div>
            <dt className="text-dense text-ink2">Reply</dt>
            <dd className="mt-0.5 font-medium text-reading">{FIRM.reply}</dd>
          </div>
          <div>
            <dt className="text-dense text-ink2">Business hours</dt>
            <dd className="mt-0.5 font-medium text-reading">{FIRM.hours}</dd>
          </div>
        </dl>
      </div>
    </Section>
  );
}
