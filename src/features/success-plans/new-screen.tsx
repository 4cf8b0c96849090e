import { Link, useNavigate, useSearchParams } from 'react-router'
import { BackLink } from '../../ui/back-link.tsx'
import { PageHeading } from '../../ui/page-heading.tsx'
import { templateWords } from '../templates/words.ts'
import { PlanForm } from './plan-form.tsx'
import { planWords } from './words.ts'
import { planFormWords as words } from './plan-words.ts'

/** `/success-plans/new`, for an account with `?account=`, from a template with `?template=` */
export function Component() {
  const navigate = useNavigate()
  const [params] = useSearchParams()
  return (
    <div className="mx-auto max-w-2xl">
      <BackLink to="/success-plans">{planWords.back}</BackLink>
      <PageHeading title={words.title} />
      <p className="mt-1 text-sm text-ink-muted">
        {words.lead}{' '}
        <Link
          to="/templates"
          className="inline-flex items-center font-semibold text-accent underline-offset-4 hover:underline coarse:min-h-11"
        >
          {templateWords.title}
        </Link>
      </p>
      <PlanForm
        account_id={params.get('account') ?? ''}
        template_id={params.get('template') ?? ''}
        onDone={(id) => navigate(`/success-plans/${id}`, { replace: true })}
        onCancel={() => void navigate('/success-plans')}
      />
    </div>
  )
}
