// Endpoints for registration, tokens, the profile and a user's settings.
import * as v from 'valibot'
import { endpoint, none, one, raw } from '../endpoint.ts'
import { LinkTokenDetails, LinkToken } from '../schemas/invites.ts'
import {
  PasswordForgotten,
  PasswordReset,
  Profile,
  Registration,
  Tokens,
  User,
} from '../schemas/people.ts'
import {
  NotificationConsents,
  NotificationConsentsEdit,
  Onboarding,
  OnboardingChange,
} from '../schemas/settings.ts'
import {
  PushSubscriptionDraft,
  PushSubscriptionRemoval,
  StoredPushSubscription,
} from '../schemas/push.ts'

export const sessionEndpoints = {
  register: endpoint({
    method: 'POST',
    path: '/api/v1/register',
    body: Registration,
    answer: one(User),
    status: 201,
    who: 'anyone',
    offline: 'online',
  }),
  issueToken: endpoint({
    method: 'POST',
    path: '/oauth/token',
    body: v.looseObject({ grant_type: v.string() }),
    answer: raw(Tokens),
    who: 'anyone',
    offline: 'online',
  }),
  getUserinfo: endpoint({
    method: 'GET',
    path: '/api/v1/userinfo',
    answer: one(User),
    who: 'user',
    offline: 'read',
  }),
  updateUserinfo: endpoint({
    method: 'PUT',
    path: '/api/v1/userinfo',
    body: Profile,
    answer: one(User),
    who: 'user',
    offline: 'queue',
    offlinePolicy: { lane: () => 'userinfo', matches: (_input, user) => user.id !== undefined },
  }),
  verifyToken: endpoint({
    method: 'POST',
    path: '/api/v1/verify-token',
    body: LinkToken,
    answer: one(LinkTokenDetails),
    who: 'anyone',
    offline: 'online',
  }),
  forgotPassword: endpoint({
    method: 'POST',
    path: '/api/v1/forgot-password',
    body: PasswordForgotten,
    answer: none,
    status: 202,
    who: 'anyone',
    offline: 'online',
  }),
  resetPassword: endpoint({
    method: 'POST',
    path: '/api/v1/reset-password',
    body: PasswordReset,
    answer: none,
    status: 204,
    who: 'anyone',
    offline: 'online',
  }),
  getNotificationConsents: endpoint({
    method: 'GET',
    path: '/api/v1/notification-consents',
    answer: one(NotificationConsents),
    who: 'user',
    offline: 'read',
  }),
  updateNotificationConsents: endpoint({
    method: 'PUT',
    path: '/api/v1/notification-consents',
    body: NotificationConsentsEdit,
    answer: one(NotificationConsents),
    who: 'user',
    offline: 'queue',
    offlinePolicy: {
      lane: () => 'notification-consents',
      matches: (_input, consents) => typeof consents.digest === 'string',
    },
  }),
  createPushSubscription: endpoint({
    method: 'POST',
    path: '/api/v1/push-subscriptions',
    body: PushSubscriptionDraft,
    answer: one(StoredPushSubscription),
    status: 201,
    who: 'user',
    offline: 'online',
  }),
  deletePushSubscription: endpoint({
    method: 'DELETE',
    path: '/api/v1/push-subscriptions',
    body: PushSubscriptionRemoval,
    answer: none,
    status: 204,
    who: 'user',
    offline: 'online',
  }),
  getOnboarding: endpoint({
    method: 'GET',
    path: '/api/v1/onboarding',
    answer: one(Onboarding),
    who: 'user',
    offline: 'read',
  }),
  updateOnboarding: endpoint({
    method: 'POST',
    path: '/api/v1/onboarding',
    body: OnboardingChange,
    answer: one(Onboarding),
    who: 'user',
    offline: 'online',
  }),
} as const
