import { Search } from 'lucide-react'
import { useDeferredValue, useState } from 'react'
import { useNavigate, useSearchParams } from 'react-router'
import { isPlanOpen } from '../../../../contract/rules.ts'
import type { SuccessPlan } from '../../../../contract/schemas/success-plans.ts'
import { newId } from '../../../sync/browser/new-id.ts'
import { draftKey, loadDrafts, saveDraft } from '../../../sync/react/drafts.ts'
import { BackLink } from '../../../ui/back-link.tsx'
import { CopyButton } from '../../../ui/copy-button.tsx'
import { TextField } from '../../../ui/form/field.tsx'
import { Notice } from '../../../ui/display/notice.tsx'
import { PageHeading } from '../../../ui/page-heading.tsx'
import { SkeletonRows } from '../../../ui/display/skeleton.tsx'
import { NoData } from '../../../widgets/screen-states/no-data.tsx'
import { filterByText } from '../../../data/list-search.ts'
import { usePlans } from '../../../data/success-plans/queries.ts'
import { useNames } from '../use-names.ts'
import { useViewContext } from '../use-view-context.ts'
import { planMessages } from '../messages.ts'
import { endsWith, sharedText } from './shared-text.ts'
import { sharedMessages as messages } from './messages.ts'
import { planPath } from '../../../ui/platform/record-path.ts'

/** Further plans are found by searching. */
const MAX_RESULTS = 50

/** Adds content shared from another app to a plan's update draft. */
export function ShareTarget() {
  const [params] = useSearchParams()
  const navigate = useNavigate()
  const text = sharedText(params)
  const { plans, query } = usePlans()
  const [search, setSearch] = useState('')
  const [failed, setFailed] = useState(false)
  const found = useMatchingPlans(plans ?? [], useDeferredValue(search))

  async function choose(plan: SuccessPlan) {
    if (await saveAsDraft(plan.id, text))
      await navigate(`${planPath(plan.id)}#write`, { replace: true })
    else setFailed(true)
  }

  return (
    <div className="mx-auto max-w-2xl">
      <BackLink to="/success-plans">{planMessages.back}</BackLink>
      <PageHeading title={messages.title} />
      <p className="mt-1 text-sm text-pretty text-ink-muted">{messages.lead}</p>
      <figure className="mt-5 mb-2">
        <figcaption className="sr-only">{messages.shared}</figcaption>
        <blockquote
          dir="auto"
          className="max-h-40 overflow-y-auto border-s-2 border-line ps-4 text-sm wrap-anywhere whitespace-pre-wrap"
        >
          {text}
        </blockquote>
      </figure>
      <div className="mb-5">
        <CopyButton
          text={text}
          label={messages.copy}
          done={messages.copied}
          failed={messages.copyFailed}
        />
      </div>
      {failed && <Notice tone="danger">{messages.failed}</Notice>}
      <TextField
        label={messages.search}
        type="search"
        leading={<Search />}
        autoComplete="off"
        value={search}
        onChange={(event) => setSearch(event.target.value)}
      />
      {plans ? (
        <>
          <output className="sr-only">{messages.count(found.length)}</output>
          <ul aria-label={messages.plans} className="mt-3">
            {found.slice(0, MAX_RESULTS).map(({ plan, account }) => (
              <li key={plan.id} className="border-b border-line">
                <button
                  type="button"
                  onClick={() => void choose(plan)}
                  className="flex min-h-12 w-full flex-col justify-center rounded-md px-2 py-2 text-start hover:bg-sunken"
                >
                  <span className="font-semibold">{plan.title}</span>
                  {account && <span className="text-sm text-ink-muted">{account}</span>}
                </button>
              </li>
            ))}
          </ul>
          {found.length === 0 && <p className="mt-4 text-sm text-ink-muted">{messages.none}</p>}
        </>
      ) : (
        <NoData
          query={query}
          collection="success_plans"
          messages={planMessages}
          loading={<SkeletonRows label={messages.loading} rows={6} />}
        />
      )}
    </div>
  )
}

/** Matching plans: open before closed, the user's own before others', the latest first. */
function useMatchingPlans(plans: readonly SuccessPlan[], search: string) {
  const nameOf = useNames()
  const { user_id } = useViewContext()
  const rank = (plan: SuccessPlan) =>
    (isPlanOpen(plan) ? 0 : 2) + (plan.owner_id === user_id ? 0 : 1)
  const accountOf = ({ account_id }: SuccessPlan) =>
    account_id ? nameOf('accounts', account_id) : undefined
  return filterByText(plans, search, nameOf, (plan) => [plan.title, accountOf(plan)])
    .map((plan) => ({ plan, account: accountOf(plan) }))
    .toSorted((a, b) => rank(a.plan) - rank(b.plan))
}

/**
 * Stores the text as a draft of that plan's composer, beside what was typed there. Resolves to whether that succeeded.
 */
async function saveAsDraft(plan_id: string, text: string): Promise<boolean> {
  const key = draftKey(`update:${plan_id}`, newId())
  if (!key) return false
  const isStored = async () => (await loadDrafts(key)).some(([, draft]) => endsWith(draft, text))
  // A reload shares the same text again.
  if (!(await isStored())) await saveDraft(key, JSON.stringify({ body: text }))
  return await isStored()
}
