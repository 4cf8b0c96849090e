import { Link, useNavigate, useSearchParams } from 'react-router'
import { useCapability } from '../../../sync/react/use-sync.ts'
import { BackLink } from '../../../ui/back-link.tsx'
import { PageHeading } from '../../../ui/page-heading.tsx'
import { templateMessages } from '../../templates/messages.ts'
import { PlanForm } from './plan-form.tsx'
import { planMessages } from '../messages.ts'
import { planFormMessages as messages } from '../plan-messages.ts'
import { planPath } from '../../../ui/platform/record-path.ts'

/** `/success-plans/new`; for an account with `?account=`, from a template with `?template=`, until `?end=`. */
export function Component() {
  const navigate = useNavigate()
  const [params] = useSearchParams()
  const hasTemplates = useCapability('templates')
  return (
    <div className="mx-auto max-w-2xl">
      <BackLink to="/success-plans">{planMessages.back}</BackLink>
      <PageHeading title={messages.title} />
      <p className="mt-1 text-sm text-ink-muted">
        {messages.lead}{' '}
        {hasTemplates && (
          <Link
            to="/templates"
            className="inline-flex items-center font-semibold text-accent underline-offset-4 hover:underline coarse:min-h-11"
          >
            {templateMessages.title}
          </Link>
        )}
      </p>
      <PlanForm
        key={String(params)}
        account_id={params.get('account') ?? ''}
        template_id={params.get('template') ?? ''}
        end_date={params.get('end') ?? ''}
        onDone={(id) => navigate(planPath(id), { replace: true })}
        onCancel={() => void navigate('/success-plans')}
      />
    </div>
  )
}
