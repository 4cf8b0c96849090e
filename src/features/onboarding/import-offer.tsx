import { FileUp } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { buttonClass } from '../../ui/button.tsx'
import { onboardingMessages as messages } from './messages.ts'

interface ImportOfferProps {
  to: string
  children: ReactNode
}

/** The way to an import, for a user who has a list already. The onboarding is continued later. */
export const ImportOffer = ({ to, children }: ImportOfferProps) => (
  <div className="mt-8 border-t border-line pt-5">
    <p className="text-sm text-ink-muted">{messages.haveList}</p>
    <Link to={to} className={`${buttonClass()} mt-2`}>
      <FileUp aria-hidden />
      {children}
    </Link>
  </div>
)
