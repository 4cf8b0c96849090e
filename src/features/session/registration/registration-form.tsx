import { Link, useNavigate } from 'react-router'
import { endpoints } from '../../../../contract/endpoints.ts'
import { validateForm } from '../../../../contract/errors.ts'
import { mailLink } from '../../../../contract/links.ts'
import { Registration } from '../../../../contract/schemas/people.ts'
import { CallError, ignoreTaken, sync } from '../../../sync/client.ts'
import { useConnection } from '../../../sync/react/use-sync.ts'
import { TextField } from '../../../ui/form/field.tsx'
import { Notice } from '../../../ui/display/notice.tsx'
import { PageHeading } from '../../../ui/page-heading.tsx'
import { toast } from '../../../ui/overlay/toast.tsx'
import { PlainForm } from '../../../widgets/editing/plain-form.tsx'
import { useEditor } from '../../../widgets/editing/use-editor.tsx'
import { useBotCheck } from '../bot-check.tsx'
import { useConfiguration } from '../cached-config.ts'
import { PasswordWarning } from '../password-warning.tsx'
import { SocialButtons } from '../social/social-sign-in.tsx'
import { accountMessages } from './account-messages.ts'
import { registrationMessages as messages } from './registration-messages.ts'
import { useLostAnswer } from './use-lost-answer.ts'

interface Invitation {
  token: string
  /** Empty in the link for the first account, which is good for any address. */
  email: string
  organisation: { id: string; name: string } | null
}

/** The form for a new user. `invite` is the invitation that led here, null if it expired. */
export function RegistrationForm({ invite }: { invite?: Invitation | null }) {
  const navigate = useNavigate()
  const offline = useConnection() === 'offline'
  const { googleAuthorizationUrl, oidcName } = useConfiguration()
  const botCheck = useBotCheck('register')
  const mayBeDone = useLostAnswer()
  const editor = useEditor({
    id: 'registration',
    initial: { name: '', email: invite?.email ?? '', password: '', password_confirmation: '' },
    labels: accountMessages.fields,
    check: (fields) =>
      validateForm(Registration, { ...fields, ...(invite && { invite_token: invite.token }) }),
    save: async (body) => {
      try {
        const input = { body: { ...body, ...(await botCheck.token()) } }
        await sync().call(endpoints.register, input).catch(ignoreTaken)
      } catch (problem) {
        const isDoubtful = mayBeDone(problem)
        const taken = problem instanceof CallError && problem.errors.email !== undefined
        if (taken && isDoubtful && (await signIn(body))) return undefined
        throw problem
      }
      if (await signIn(body)) return undefined
      toast(messages.created)
      return '/auth'
    },
    done: (elsewhere) => navigate(elsewhere ?? '/onboarding', { replace: true }),
  })
  const { field } = editor

  /** Signs in and opens the organisation of the invitation. */
  async function signIn({ email, password }: { email: string; password: string }) {
    const { ok } = await sync().signIn(email, password)
    if (!ok || !invite?.organisation) return ok
    const { id } = invite.organisation
    // Failures are ignored: the organisation can be chosen later.
    const organisation = await sync()
      .call(endpoints.getOrganisation, { path: { id } })
      .catch(() => null)
    await sync().chooseOrganisation(organisation)
    return ok
  }

  const to = invite ? mailLink('', 'invite', invite.token).replace('/registration', '') : '/auth'
  return (
    <>
      <PageHeading
        title={
          invite?.organisation ? messages.invitedTitle(invite.organisation.name) : messages.title
        }
      />
      <p className="mt-1 mb-7 text-ink-muted">
        {invite?.email ? messages.invitedLead(invite.email) : messages.lead}
      </p>
      {invite === null && (
        <div className="mb-6">
          <Notice tone="warn">{messages.invitationExpired}</Notice>
        </div>
      )}
      <div onInput={botCheck.begin}>
        <PlainForm
          wide
          editor={editor}
          action={messages.submit}
          unavailable={offline ? accountMessages.offline : undefined}
          aside={
            <p className="text-sm text-ink-muted">
              {messages.haveAccount}{' '}
              <Link to={to} className="font-semibold text-accent underline underline-offset-4">
                {messages.signIn}
              </Link>
            </p>
          }
        >
          <PasswordWarning />
          <TextField {...field('name')} autoComplete="name" />
          <TextField
            {...field('email')}
            type="email"
            autoComplete="username"
            inputMode="email"
            autoCapitalize="none"
            spellCheck={false}
            readOnly={Boolean(invite?.email)}
            hint={invite?.email && messages.emailHint}
          />
          <TextField
            {...field('password')}
            type="password"
            autoComplete="new-password"
            hint={accountMessages.passwordHint}
          />
          <TextField
            {...field('password_confirmation')}
            type="password"
            autoComplete="new-password"
          />
        </PlainForm>
      </div>
      {botCheck.notice}
      {(googleAuthorizationUrl || oidcName) && <SocialButtons />}
    </>
  )
}
