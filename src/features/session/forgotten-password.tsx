import { useState } from 'react'
import { Link } from 'react-router'
import { endpoints } from '../../../contract/endpoints.ts'
import { validateForm } from '../../../contract/errors.ts'
import { PasswordForgotten } from '../../../contract/schemas/people.ts'
import { sync } from '../../sync/client.ts'
import { useConnection } from '../../sync/react/use-sync.ts'
import { BackLink } from '../../ui/back-link.tsx'
import { buttonClass } from '../../ui/button.tsx'
import { TextField } from '../../ui/form/field.tsx'
import { PageHeading } from '../../ui/page-heading.tsx'
import { PlainForm } from '../../widgets/editing/plain-form.tsx'
import { useEditor } from '../../widgets/editing/use-editor.tsx'
import { useBotCheck } from './bot-check.tsx'
import { MailNotice } from './mail-notice.tsx'
import { accountMessages as messages } from './registration/account-messages.ts'

/** `/auth?forgotten`: requests a reset link by e-mail. Never reveals whether the user exists. */
export function ForgottenPassword() {
  const offline = useConnection() === 'offline'
  const [sent, setSent] = useState<string>()
  const botCheck = useBotCheck('forgot_password')
  const editor = useEditor({
    draft: 'forgotten-password',
    id: 'forgotten',
    initial: { email: '' },
    labels: { email: messages.fields.email },
    check: (fields) => validateForm(PasswordForgotten, fields),
    save: async (body) => {
      await sync().call(endpoints.forgotPassword, {
        body: { ...body, ...(await botCheck.token()) },
      })
      return body.email
    },
    done: setSent,
  })

  if (sent !== undefined)
    return (
      <>
        <PageHeading key="sent" title={messages.sentTitle} />
        <output className="mt-2 mb-6 block text-ink-muted">{messages.sent(sent)}</output>
        <MailNotice />
        <Link to="/auth" className={buttonClass()}>
          {messages.back}
        </Link>
      </>
    )
  return (
    <>
      <BackLink to="/auth">{messages.back}</BackLink>
      <PageHeading title={messages.forgottenTitle} />
      <p className="mt-1 mb-7 text-ink-muted">{messages.forgottenLead}</p>
      <MailNotice />
      <div onInput={botCheck.begin}>
        <PlainForm
          wide
          editor={editor}
          action={messages.send}
          unavailable={offline ? messages.offline : undefined}
        >
          <TextField
            {...editor.field('email')}
            type="email"
            autoComplete="username"
            inputMode="email"
            autoCapitalize="none"
            spellCheck={false}
          />
        </PlainForm>
      </div>
      {botCheck.notice}
    </>
  )
}
