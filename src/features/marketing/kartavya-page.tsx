import { CalendarCheck, LayoutDashboard, MapPin, ScanFace, ShieldCheck, Users, WifiOff } from "lucide-react";
import { buttonStyle } from "@/ui/button-style";
import { CONTACT_LINK } from "./content/firm";
import { BLOCKS, FEATURES, KARTAVYA, KARTAVYA_CALL, KARTAVYA_PRIVACY } from "./content/kartavya";
import { PhoneFrame } from "./phone-frame";
import { PublicLayout } from "./public-layout";
import { Section, Statement } from "./section";
import { UntilFound } from "./until-found";

/** `/kartavya`: the attendance app. Spec 2. */
export function KartavyaPage() {
  return (
    <PublicLayout>
      <section className="grid grid-cols-[minmax(0,1fr)] items-center gap-x-12 gap-y-10 pt-8 md:pt-14 lg:grid-cols-[minmax(0,1fr)_minmax(0,440px)]">
        <div>
          <p className="flex items-center gap-2 font-medium text-brand-text text-reading">
            <ScanFace size={20} />
            {KARTAVYA.name}
          </p>
          <h1 className="mt-3 max-w-[8em] text-hero tracking-[-0.035em] [font-weight:650]">{KARTAVYA.title}</h1>
          <p className="mt-5 max-w-[44ch] text-ink2 text-reading sm:text-lead">{KARTAVYA.lead}</p>
          <div className="mt-7 flex flex-wrap gap-2.5 print:hidden">
            <a href={CONTACT_LINK.href} className={buttonStyle({ variant: "primary", size: "lg" })}>
              Contact us
            </a>
            <a href="#features" className={buttonStyle({ size: "lg" })}>
              What it does
            </a>
          </div>
        </div>
        <PhoneFrame className="mx-auto w-full max-w-[440px] print:hidden" />
      </section>
      <Section id="features" title={FEATURES.title}>
        <ul className="grid gap-x-8 gap-y-9 sm:grid-cols-2 lg:grid-cols-3">
          {FEATURES.features.map((feature) => (
            <Statement key={feature.key} icon={FEATURE_ICONS[feature.key]} title={feature.title} text={feature.text} />
          ))}
        </ul>
      </Section>
      <Section id="more" title={BLOCKS.title}>
        <ul className="border-line border-b">
          {BLOCKS.blocks.map((block) => (
            <li
              key={block.key}
              className="grid gap-x-12 gap-y-3 border-line border-t py-7 md:grid-cols-[280px_minmax(0,1fr)] md:py-9"
            >
              <h3 className="text-h3">{block.title}</h3>
              <div className="max-w-[64ch]">
                <p className="text-reading">{block.text}</p>
                <UntilFound labels={{ more: "Read More", less: "Read Less" }} subject={block.title}>
                  {block.more.map((paragraph) => (
                    <p key={paragraph} className="pt-3 text-ink2 text-reading">
                      {paragraph}
                    </p>
                  ))}
                </UntilFound>
              </div>
            </li>
          ))}
        </ul>
      </Section>
      <section aria-labelledby="privacy" className="mt-16 flex gap-4 md:mt-24">
        <ShieldCheck size={24} className="stroke-[1.5] mt-1 shrink-0 text-brand-text" />
        <div>
          <h2 id="privacy" className="text-h1">
            {KARTAVYA_PRIVACY.title}
          </h2>
          <p className="mt-2 max-w-[60ch] text-ink2 text-reading">{KARTAVYA_PRIVACY.text}</p>
          <a
            href="/privacy-policy-kartavya"
            className="mt-2 inline-flex min-h-8 items-center font-medium text-brand-text text-reading underline underline-offset-4"
          >
            {KARTAVYA_PRIVACY.link}
          </a>
        </div>
      </section>
      <section
        aria-labelledby="visit"
        className="mt-16 flex flex-wrap items-center justify-between gap-x-10 gap-y-6 rounded-dialog bg-brand-soft p-6 sm:p-10 md:mt-24 print:hidden"
      >
        <div>
          <h2 id="visit" className="text-h1">
            {KARTAVYA_CALL.title}
          </h2>
          <p className="mt-2 max-w-[48ch] text-reading">{KARTAVYA_CALL.text}</p>
        </div>
        <a href={CONTACT_LINK.href} className={buttonStyle({ variant: "primary", size: "lg" })}>
          Contact us
        </a>
      </section>
    </PublicLayout>
  );
}

const FEATURE_ICONS = {
  face: ScanFace,
  place: MapPin,
  offline: WifiOff,
  leave: CalendarCheck,
  roles: Users,
  day: LayoutDashboard,
};
