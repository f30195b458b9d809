import { INQUIRY_SUBJECTS } from "@db/enums";
import { SUBJECT_LABELS } from "@server/contract/messages/inquiries";
import {
  ArrowRight,
  Compass,
  Eye,
  GitBranch,
  HandHeart,
  LifeBuoy,
  MessageCircle,
  Ruler,
  ScanFace,
  Smartphone,
  Sprout,
  Waypoints,
} from "lucide-react";
import { buttonStyle } from "@/ui/button-style";
import { FIRM, SERVICES } from "./content/firm";
import { ABOUT, CONTACT, GOAL, HERO, OFFER } from "./content/landing";
import { Counters } from "./counters";
import { InquiryForm } from "./inquiry-form";
import { PublicLayout, type PublicPageProps } from "./public-layout";
import { Section, Statement } from "./section";
import { ThreadArt } from "./thread-art";
import { WorkSection } from "./work-section";

/** `/`: who we are, what we aim at, how to reach us. Spec 2. */
export function LandingPage({ form }: PublicPageProps) {
  return (
    <PublicLayout>
      <section className="grid grid-cols-[minmax(0,1fr)] items-center gap-x-10 gap-y-12 pt-8 pb-12 md:pt-16 md:pb-16 lg:grid-cols-[minmax(0,1fr)_minmax(0,525px)]">
        <div>
          <h1 className="max-w-[12em] text-hero tracking-[-0.035em] [font-weight:650]">{HERO.title}</h1>
          <p className="mt-5 max-w-[44ch] text-ink2 text-reading sm:text-lead">{HERO.lead}</p>
          <div className="mt-7 flex flex-wrap gap-2.5 print:hidden">
            <a href="#contact" className={buttonStyle({ variant: "primary", size: "lg" })}>
              Contact us
            </a>
            <a href="/kartavya" className={buttonStyle({ size: "lg" })}>
              See Kartavya
              <ArrowRight size={16} />
            </a>
          </div>
        </div>
        <ThreadArt className="w-full max-w-[525px] max-lg:mx-auto" />
      </section>
      <Section id="about" title={ABOUT.title} lead={ABOUT.lead}>
        <ul className="grid gap-4 md:grid-cols-3">
          {ABOUT.values.map((value) => (
            <Statement key={value.key} icon={VALUE_ICONS[value.key]} title={value.title} text={value.text} isCard />
          ))}
        </ul>
      </Section>
      <Section id="goal" title={GOAL.title} lead={GOAL.lead}>
        <ul className="grid gap-4 sm:grid-cols-2 lg:grid-cols-4">
          {GOAL.goals.map((goal) => (
            <Statement key={goal.key} icon={GOAL_ICONS[goal.key]} title={goal.title} text={goal.text} isCard />
          ))}
        </ul>
        <Counters className="mt-10 md:mt-12" />
      </Section>
      <Section id="services" title={OFFER.title}>
        <ul className="grid gap-px overflow-hidden rounded-card border border-line bg-line sm:grid-cols-2">
          {SERVICES.map((service) => (
            <Service key={service.id} id={service.id} name={service.name} />
          ))}
        </ul>
      </Section>
      <WorkSection />
      <Contact form={form} />
    </PublicLayout>
  );
}

const VALUE_ICONS = { care: HandHeart, measure: Ruler, grow: Sprout };
const GOAL_ICONS = { watch: Eye, answer: MessageCircle, own: GitBranch, stay: LifeBuoy };
const SERVICE_ICONS = {
  "attendance-system": ScanFace,
  "mobile-apps": Smartphone,
  "ai-solutions": Waypoints,
  consulting: Compass,
};

type ServiceProps = { id: (typeof SERVICES)[number]["id"]; name: string };

function Service({ id, name }: ServiceProps) {
  const Icon = SERVICE_ICONS[id];
  const { text, link } = OFFER.services[id];
  return (
    <li className="flex gap-4 bg-surface p-6 sm:p-8">
      <Icon size={24} className="stroke-[1.5] mt-0.5 shrink-0 text-brand-text" />
      <div>
        <h3 id={id} tabIndex={-1} className="text-h3">
          {name}
        </h3>
        <p className="mt-2 max-w-[46ch] text-ink2 text-reading">{text}</p>
        {link && (
          <a
            href={link.href}
            className="mt-2 inline-flex min-h-8 items-center gap-1.5 font-medium text-brand-text text-reading underline-offset-4 hover:underline"
          >
            {link.label}
            <ArrowRight size={16} />
          </a>
        )}
      </div>
    </li>
  );
}

const SUBJECTS = {
  name: "subject",
  label: "Subject",
  none: "Choose a subject",
  options: INQUIRY_SUBJECTS.map((subject): [string, string] => [subject, SUBJECT_LABELS[subject]]),
} as const;

function Contact({ form }: PublicPageProps) {
  return (
    <Section id="contact" title={CONTACT.title} lead={CONTACT.lead}>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-8 lg:grid-cols-[minmax(0,1fr)_300px] lg:gap-12">
        <div className="rounded-card bg-raised p-5 shadow-1 sm:p-8 print:hidden">
          <InquiryForm kind="contact" state={form} subjects={SUBJECTS} submitLabel="Send message" />
        </div>
        <dl className="flex flex-col gap-6 self-start border-brand border-s-2 ps-6 text-reading">
          <div>
            <dt className="text-dense text-ink2">Reply</dt>
            <dd className="mt-1 font-medium">{FIRM.reply}</dd>
          </div>
          <div>
            <dt className="text-dense text-ink2">Business hours</dt>
            <dd className="mt-1 font-medium">{FIRM.hours}</dd>
          </div>
          <div>
            <dt className="text-dense text-ink2">By email</dt>
            <dd className="mt-1">
              <a
                href={`mailto:${FIRM.email}`}
                className="inline-flex min-h-6 items-center font-medium text-brand-text underline-offset-4 hover:underline"
              >
                {FIRM.email}
              </a>
            </dd>
          </div>
        </dl>
      </div>
    </Section>
  );
}
