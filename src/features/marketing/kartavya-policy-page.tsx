import { LegalPage, type LegalText } from "./legal-page";

/** /privacy-policy-kartavya: what the attendance app keeps. Spec 1 and 9: the facts are literal. */
export const KARTAVYA_POLICY: LegalText = {
  title: "Privacy policy, Kartavya",
  dated: "2025-09-09",
  datedText: "September 9, 2025",
  lead: "Kartavya is an attendance app that institutions use for their staff. This page says what data it keeps about you, why, and whom to ask.",
  sections: [
    {
      id: "collected",
      title: "What the app collects",
      paragraphs: ["From you and your phone, the app collects what attendance needs and nothing else:"],
      facts: [
        { term: "Email", text: "To sign you in and to write to you about your account." },
        { term: "Full name", text: "So that your colleagues and your office know whose day it is." },
        { term: "Phone", text: "So that your office can reach you about your attendance." },
        {
          term: "Role and department",
          text: "To show you the right shifts, and those who approve the right people.",
        },
        { term: "Institution id", text: "To keep each institution's data apart from every other's." },
        {
          term: "Face embeddings",
          text: "Numbers computed from 5 images when you register your face. Each check-in is compared with them.",
        },
        {
          term: "Location",
          text: "Read only at check-in or check-out, to see that it happened at your place of work.",
        },
        { term: "Check-in photos", text: "The picture taken at a check-in, as the record of it." },
      ],
    },
    {
      id: "institution",
      title: "What your institution keeps",
      paragraphs: [
        "Your check-ins make up your attendance record. If your institution also uses Kartavya for shifts, leave, salary, or loans and advances, it keeps those records there too: your shifts, your leave, your salary, what was advanced to you, and the requests you make in the app with the answers to them.",
      ],
    },
    {
      id: "used",
      title: "What it is used for",
      paragraphs: [
        "To record when you came and went, to keep the records above, and to make the reports your institution needs. For nothing else.",
        "Your location is not tracked. Between check-in and check-out the app does not ask for it.",
      ],
    },
    {
      id: "stored",
      title: "Where it is stored",
      paragraphs: ["With a backend-as-a-service provider, which stores the data on our behalf."],
    },
    {
      id: "requests",
      title: "To see, correct or delete your data",
      paragraphs: [
        "Ask your institution's administrator. Your institution decides about your data: its administrator can show, correct and delete it, and asks us where we are needed.",
      ],
    },
    {
      id: "children",
      title: "Children",
      paragraphs: [
        "Kartavya is not for children under 13, and we do not knowingly keep data about them. If you believe we do, tell the institution's administrator, and it will be deleted.",
      ],
    },
    {
      id: "changes",
      title: "Changes",
      paragraphs: ["When this policy changes, the date above changes with it."],
    },
  ],
};

export function KartavyaPolicyPage() {
  return <LegalPage text={KARTAVYA_POLICY} />;
}
