import { FIRM } from "./content/firm";
import { LEGAL_DAY, LegalPage, type LegalText } from "./legal-page";

export const TERMS: LegalText = {
  title: "Terms",
  dated: LEGAL_DAY,
  lead: "The agreement between you and Sangam Software when you use Sangam. We wrote it to be read.",
  sections: [
    {
      id: "service",
      title: "What Sangam is",
      paragraphs: [
        "Sangam is where our team and our clients see the same projects and tasks, write to each other, sign off what is done, and follow changes to the code.",
        "It is a tool for the work we do together. There is no separate charge for it.",
      ],
    },
    {
      id: "account",
      title: "Your account",
      paragraphs: [
        "One of our administrators approves each new account. We may decline, and we may close an account that is no longer needed or is misused.",
        "Give your real name and an email address that you read. Keep your password to yourself; an account belongs to one person.",
        `If you think someone else has used your account, write to us the same day: ${FIRM.email}.`,
      ],
    },
    {
      id: "content",
      title: "What you put in",
      paragraphs: [
        "What you write, upload and link here stays yours. You allow us to store it and to show it to those whom the privacy policy names, and nothing else.",
        "Don't put in passwords, anything you have no right to share, or anything illegal.",
      ],
    },
    {
      id: "conduct",
      title: "Fair use",
      paragraphs: [
        "Don't try to reach projects or conversations that aren't yours, don't overload the service, and don't use it to advertise.",
        "If you find a security problem, tell us before you tell others. We will thank you and fix it.",
      ],
    },
    {
      id: "promise",
      title: "What we promise, and what we don't",
      paragraphs: [
        "We run Sangam with care, keep it up to date, and tell you if something goes wrong with your data. We can't promise that it is never interrupted.",
        "What we owe you for a project is in the contract for that project. These terms don't change it.",
      ],
    },
    {
      id: "end",
      title: "Leaving",
      paragraphs: [
        "You can stop at any time: write to us and we close your account. The privacy policy says what then happens to your data, and what we keep of what you signed off.",
      ],
    },
    {
      id: "changes",
      title: "Changes",
      paragraphs: [
        "When these terms change, the date above changes. We write to you before a change that affects you takes effect. Sign-up records which version you accepted, and when.",
      ],
    },
  ],
};

export function TermsPage() {
  return <LegalPage text={TERMS} />;
}
