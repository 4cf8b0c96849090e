import { Plus } from 'lucide-react'
import { lazy, Suspense } from 'react'
import { useNavigate, useSearchParams } from 'react-router'
import type { Template } from '../../../contract/schemas/templates.ts'
import { BackLink } from '../../ui/back-link.tsx'
import { Button } from '../../ui/button.tsx'
import { Empty } from '../../ui/display/empty.tsx'
import { PageHeading } from '../../ui/page-heading.tsx'
import { SkeletonForm, SkeletonRows } from '../../ui/display/skeleton.tsx'
import { useCreateKey } from '../../widgets/keys/use-single-keys.ts'
import { PageHeader } from '../../widgets/screen-states/page-header.tsx'
import { NoData } from '../../widgets/screen-states/no-data.tsx'
import { useUnreadList } from '../../widgets/screen-states/use-unread-list.ts'
import { TypedTexts } from '../../widgets/screen-states/typed-texts.tsx'
import { useTemplates } from '../../data/templates.ts'
import { useCapability } from '../../sync/react/use-sync.ts'
import { StarterRows } from './starter-rows.tsx'
import { TemplateRow } from './template-row.tsx'
import { useWriteBlocker } from './use-write-blocker.ts'
import { templateFormMessages, templateMessages as messages } from './messages.ts'

const TemplateForm = lazy(async () => ({
  default: (await import('./template-form.tsx')).TemplateForm,
}))

/** `/templates`; a saved address may lead here though the server has none. */
export function Component() {
  // What is on the device is shown until the server is known to have none.
  if (useCapability('templates', true)) return <Screen />
  return (
    <>
      <PageHeading title={messages.title} />
      <Empty scene="fog" title={messages.unavailableTitle}>
        {messages.unavailable}
      </Empty>
    </>
  )
}

/** The form of a new template with `?new`, of an existing one with `?edit=<id>`, else the list. */
function Screen() {
  const [params] = useSearchParams()
  const { query, templates } = useTemplates()
  const edited = params.get('edit')
  if (params.has('new')) return <Form />
  const template = templates?.find(({ id }) => id === edited)
  if (template) return <Form key={template.id} template={template} />
  return <Templates templates={templates} missing={edited} query={query} />
}

function Form({ template }: { template?: Template }) {
  const navigate = useNavigate()
  const leave = () => navigate('/templates', { replace: true })
  return (
    <div className="mx-auto max-w-3xl">
      <BackLink to="/templates">{templateFormMessages.back}</BackLink>
      <PageHeading
        title={template ? templateFormMessages.editTitle : templateFormMessages.newTitle}
      />
      <p className="mt-1 text-sm text-ink-muted">{template?.title ?? messages.lead}</p>
      <Suspense fallback={<SkeletonForm label={messages.loadingForm} />}>
        <TemplateForm
          {...(template && { template })}
          onDone={leave}
          onCancel={() => void leave()}
        />
      </Suspense>
    </div>
  )
}

interface TemplatesProps {
  templates: readonly Template[] | undefined
  /** The requested template, which does not exist. */
  missing: string | null
  query: ReturnType<typeof useTemplates>['query']
}

function Templates({ templates, missing, query }: TemplatesProps) {
  const navigate = useNavigate()
  const writeBlocker = useWriteBlocker()
  const createKey = useCreateKey()
  const add = (label: string) => (
    <Button
      variant="primary"
      {...createKey(label)}
      className="max-sm:[&_svg]:hidden"
      unavailable={writeBlocker}
      onClick={() => void navigate('?new')}
    >
      <Plus aria-hidden />
      {label}
    </Button>
  )
  const unread = useUnreadList([{ collection: 'templates', query }])
  const some = templates && templates.length > 0
  const isGone = templates && missing !== null && !unread
  return (
    <div>
      <PageHeader
        title={messages.title}
        age={{ shows: { collection: 'templates' } }}
        actions={some && add(messages.add)}
      />
      {some && isGone && (
        <Empty
          scene="fog"
          title={messages.missingTitle}
          action={
            <Button onClick={() => void navigate('/templates', { replace: true })}>
              {messages.all}
            </Button>
          }
        >
          {messages.missing}
        </Empty>
      )}
      {isGone && <TypedTexts key={missing} id={missing} />}
      {some && missing === null && (
        // Buttons at the end of rows stay near their titles.
        <ul
          aria-label={messages.listLabel}
          className="mt-4 grid items-start gap-x-12 min-[90rem]:grid-cols-2"
        >
          {templates.map((template) => (
            <li key={template.id} className="border-line first:border-t min-[90rem]:nth-2:border-t">
              <TemplateRow template={template} writeBlocker={writeBlocker} />
            </li>
          ))}
        </ul>
      )}
      {templates?.length === 0 && !unread && (
        <>
          <Empty title={messages.emptyTitle} action={add(messages.first)}>
            {messages.empty}
          </Empty>
          <StarterRows />
        </>
      )}
      {(!templates || (unread && (!some || missing !== null))) && (
        <NoData
          query={unread?.query ?? query}
          messages={messages}
          loading={
            <div className="mt-2">
              <SkeletonRows label={messages.loading} rows={3} />
            </div>
          }
        />
      )}
    </div>
  )
}
