import { ChevronRight } from 'lucide-react'
import { Link } from 'react-router'
import { useCapability } from '../../sync/react/use-sync.ts'
import { Empty } from '../../ui/display/empty.tsx'
import { homeMessages as messages } from './messages.ts'

const { steps } = messages
const ACCOUNT = { to: '/accounts?new', title: steps.account, why: steps.accountWhy }
const IMPORT = {
  accounts: { to: '/accounts?import', title: steps.import, why: steps.importWhy },
  plans: { to: '/success-plans?import', title: steps.importPlans, why: steps.importPlansWhy },
}
const OTHERS = [
  { to: '/success-plans/new', title: steps.plan, why: steps.planWhy },
  { to: '/templates', title: steps.templates, why: steps.templatesWhy },
  { to: '/onboarding', title: steps.onboarding, why: steps.onboardingWhy },
]

/** What to do in an organisation without plans. */
export function FirstSteps({ hasAccounts }: { hasAccounts: boolean }) {
  const hasTemplates = useCapability('templates')
  const others = OTHERS.filter(({ to }) => to !== '/templates' || hasTemplates)
  return (
    <>
      <Empty title={messages.emptyTitle}>{messages.empty}</Empty>
      <ol aria-label={messages.firstSteps} className="mx-auto max-w-lg border-t border-line">
        {[...(hasAccounts ? [IMPORT.plans] : [ACCOUNT, IMPORT.accounts]), ...others].map(
          ({ to, title, why }) => (
            <li key={to}>
              <Link
                to={to}
                className="group flex min-h-16 items-center gap-4 border-b border-line px-2 py-3 -outline-offset-2 hover:bg-raised"
              >
                <span className="min-w-0 grow">
                  <span className="block font-semibold group-hover:text-accent">{title}</span>
                  <span className="block text-sm text-ink-muted">{why}</span>
                </span>
                <ChevronRight aria-hidden className="size-5 shrink-0 text-ink-faint" />
              </Link>
            </li>
          ),
        )}
      </ol>
    </>
  )
}
