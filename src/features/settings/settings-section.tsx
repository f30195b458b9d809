import { type ReactNode, useId } from "react";

type SettingsSectionProps = {
  title: string;
  /** One sentence about the section. */
  lead: ReactNode;
  children: ReactNode;
};

/** A section of Settings: title and lead, with a card beside them, or below them under 1024 px. */
export function SettingsSection({ title, lead, children }: SettingsSectionProps) {
  const id = useId();
  return (
    <section
      aria-labelledby={id}
      className="grid gap-x-12 gap-y-4 border-line py-8 not-last:border-b first:pt-6 lg:grid-cols-[216px_minmax(0,1fr)]"
    >
      <div>
        <h2 id={id} tabIndex={-1} className="text-h3">
          {title}
        </h2>
        <p className="mt-1.5 text-dense text-ink2">{lead}</p>
      </div>
      <div className="min-w-0 rounded-card bg-raised p-4 shadow-1 sm:p-5">{children}</div>
    </section>
  );
}
