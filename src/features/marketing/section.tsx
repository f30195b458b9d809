import type { LucideIcon } from "lucide-react";
import type { ReactNode } from "react";
import { cn } from "@/lib/cn";

type SectionProps = {
  /** The anchor; the heading takes the focus when its link is followed. */
  id: string;
  title: string;
  lead?: string | undefined;
  className?: string | undefined;
  children: ReactNode;
};

/** A part of a public page under its own heading. */
export function Section({ id, title, lead, className, children }: SectionProps) {
  return (
    <section className={cn("pt-16 md:pt-24 print:pt-6", className)}>
      <div className="mb-7 md:mb-9">
        <h2 id={id} tabIndex={-1} className="text-h2">
          {title}
        </h2>
        {lead && <p className="mt-3 max-w-[60ch] text-ink2 text-reading sm:text-lead">{lead}</p>}
      </div>
      {children}
    </section>
  );
}

type StatementProps = {
  icon: LucideIcon;
  title: string;
  text: string;
  /** An anchor of its own. */
  id?: string | undefined;
  isCard?: boolean | undefined;
  children?: ReactNode;
};

/** A statement in a list: icon, title, sentence. */
export function Statement({ icon: Icon, title, text, id, isCard = false, children }: StatementProps) {
  return (
    <li className={cn("flex flex-col", isCard && "rounded-card bg-raised p-5 shadow-1 print:p-0 print:shadow-none")}>
      <Icon size={20} className="shrink-0 text-brand-text" />
      <h3 id={id} tabIndex={id ? -1 : undefined} className="mt-4 text-lead">
        {title}
      </h3>
      <p className="mt-1 max-w-[44ch] text-ink2">{text}</p>
      {children}
    </li>
  );
}
