import { LEGAL_DAY, LegalPage, type LegalText } from "./legal-page";

export const TERMS: LegalText = {
  title: "Terms",
  dated: LEGAL_DAY,
  lead: "What holds between you and Sangam Software when you use Sangam. We wrote it to be read.",
  sections: [
    {
      id: "service",
      title: "What Sangam is",
      paragraphs: [
        "Sangam is the place where our team and our clients see the same projects and tasks, write to each other, and follow the changes in the code.",
        "It is a tool for the work we do together. It comes without a price of its own.",
      ],
    },
    {
      id: "account",
      title: "Your account",
      paragraphs: [
        "Whoever signs up waits for approval by one of our administrators. We may refuse, and we may close an account that is no longer needed or that is misused.",
        "Give your real name and an e-mail address that you read. Keep your password to yourself; an account belongs to one person.",
        "If you believe that somebody else has used your account, write to us the same day.",
      ],
    },
    {
      id: "content",
      title: "What you put in",
      paragraphs: [
        "What you write and link here stays yours. You allow us to store it and to show it to the people of the projects it belongs to, and for nothing else.",
        "Do not put in what you have no right to share, passwords, or anything that breaks the law.",
      ],
    },
    {
      id: "conduct",
      title: "Fair use",
      paragraphs: [
        "Do not try to reach projects or conversations that are not yours, do not overload the service, and do not use it to send advertising.",
        "If you find a way in that should not be there, tell us before you tell others. We will thank you and mend it.",
      ],
    },
    {
      id: "promise",
      title: "What we promise, and what not",
      paragraphs: [
        "We look after Sangam with care, keep it up to date, and tell you when something went wrong with your data. We cannot promise that it is never interrupted.",
        "What we owe you for a project stands in the contract for that project. These terms change nothing in it.",
      ],
    },
    {
      id: "end",
      title: "Leaving",
      paragraphs: [
        "You may stop at any time: write to us and we close your account. What happens to your data then stands in the privacy policy.",
      ],
    },
    {
      id: "changes",
      title: "Changes",
      paragraphs: [
        "When these terms change, the date above changes. We write to you before a change that matters to you takes effect. Sign-up stores which version you accepted, and when.",
      ],
    },
  ],
};

export function TermsPage() {
  return <LegalPage text={TERMS} />;
}
