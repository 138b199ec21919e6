// Written by `npm run format` from the OpenAPI document.
export interface paths {
  '/.well-known/oauth-protected-resource': {
    parameters: {};
    /**
     * Returns the protected resource metadata of the API (RFC 9728)
     * @description For clients that discover how to authenticate.
     */
    get: operations['getProtectedResource'];
  };
  '/.well-known/oauth-protected-resource/mcp': {
    parameters: {};
    /**
     * Returns the protected resource metadata of the tools at /mcp
     * @description For clients that discover how to authenticate.
     */
    get: operations['getProtectedResourceOfMcp'];
  };
  '/agent/auth/claim': {
    parameters: {};
    /**
     * Requests a code for an agent credential
     * @description Sends a code to an email address. The response is the same for every address.
     */
    post: operations['claimAgentCredential'];
  };
  '/agent/auth/claim/complete': {
    parameters: {};
    /**
     * Exchanges a code for an API key with scopes
     * @description The key is shown once. It has the requested scopes that the role of the person allows.
     */
    post: operations['completeAgentClaim'];
  };
  '/agent/credentials': {
    parameters: {};
    /**
     * Lists the person's agent credentials, newest first
     * @description Admins see all agent credentials of the organization. An agent without the scope `credentials.manage` sees only its own.
     */
    get: operations['listAgentCredentials'];
  };
  '/agent/credentials/{ac}': {
    parameters: {};
    /**
     * Revokes an agent credential
     * @description The credential stops working immediately. An agent can revoke only its own.
     */
    delete: operations['revokeAgentCredential'];
  };
  '/agent/credentials/{ac}/cancel-scheduled': {
    parameters: {};
    /**
     * Cancels what an agent has scheduled, in workspaces that you can see
     * @description Works after the revocation, too. Reports an outcome for each message and post. Do it after the revocation. Repeat it until `remaining` is 0. Accepts only sessions of people and API keys.
     */
    post: operations['cancelScheduledByCredential'];
  };
  '/agent/credentials/{ac}/reveals': {
    parameters: {};
    /**
     * Lists the secrets that an agent has read, newest first
     * @description Includes revoked credentials. A limited credential requires the scope `credentials.manage`.
     */
    get: operations['listCredentialReveals'];
  };
  '/agent/credentials/{ac}/rotate-revealed': {
    parameters: {};
    /**
     * Rotates the secrets that an agent has read
     * @description Rotates current secrets and revokes the agent's own channel tokens. Accepts only sessions of people and API keys.
     */
    post: operations['rotateCredentialReveals'];
  };
  '/agent/credentials/{ac}/scheduled': {
    parameters: {};
    /**
     * Lists what an agent has scheduled, in workspaces that you can see
     * @description Works after the revocation, too. Lists messages and posts that have not begun, the first due first. Accepts only sessions of people and API keys.
     */
    get: operations['listScheduledByCredential'];
  };
  '/agent/credentials/eligible-scopes': {
    parameters: {};
    /**
     * Lists the scopes that the person can grant to an agent, by organization
     * @description By the role of the person in each organization.
     */
    get: operations['getEligibleScopes'];
  };
  '/alerts/{alr}': {
    parameters: {};
    /**
     * Returns an alert
     * @description With its subject and its times. A limited credential requires the scope `deliveries.read`.
     */
    get: operations['getAlert'];
  };
  '/alerts/{alr}/acknowledge': {
    parameters: {};
    /**
     * Acknowledges an alert
     * @description Resolves an alert whose cause is in the past, such as a failed replay. Others stay open until their cause ends. A limited credential requires the scope `channel.manage`.
     */
    post: operations['acknowledgeAlert'];
  };
  '/alerts/{alr}/mute': {
    parameters: {};
    /**
     * Mutes an alert
     * @description It stays in the list but is left out of emails. A limited credential requires the scope `channel.manage`.
     */
    post: operations['muteAlert'];
  };
  '/alerts/{alr}/unmute': {
    parameters: {};
    /**
     * Unmutes an alert
     * @description Its notifications are sent again. A limited credential requires the scope `channel.manage`.
     */
    post: operations['unmuteAlert'];
  };
  '/auth.md': {
    parameters: {};
    /**
     * Describes how an agent gets a key by email code
     * @description Written for agents, which need no other document to get a key.
     */
    get: operations['readAgentGuide'];
  };
  '/auth/refresh': {
    parameters: {};
    /**
     * Exchanges a refresh token for new tokens
     * @description Each refresh token works once.
     */
    post: operations['refreshSession'];
  };
  '/auth/session': {
    parameters: {};
    /**
     * Returns the caller with the kind of credential and the organizations
     * @description Use it to check a credential.
     */
    get: operations['getSession'];
  };
  '/auth/sign-in': {
    parameters: {};
    /**
     * Sends a sign-in code by email
     * @description The code has six digits. The response is the same for known and unknown addresses.
     */
    post: operations['signIn'];
  };
  '/auth/sign-in/complete': {
    parameters: {};
    /**
     * Signs in with a code
     * @description Starts a session and returns a cookie for browsers and tokens for other clients.
     */
    post: operations['completeSignIn'];
  };
  '/auth/sign-out': {
    parameters: {};
    /**
     * Ends the session
     * @description Its tokens and its cookie stop working. Accepts only sessions of people.
     */
    post: operations['signOut'];
  };
  '/auth/sign-out-everywhere': {
    parameters: {};
    /**
     * Ends all sessions of the person
     * @description All tokens and cookies of the person stop working. API keys are not sessions. Accepts only sessions of people.
     */
    post: operations['signOutEverywhere'];
  };
  '/channels/{ch}/chatapp/media': {
    parameters: {};
    /**
     * Uploads a file for messages
     * @description Nothing is sent to anyone. A limited credential requires the scope `message.send`.
     */
    post: operations['uploadChatappMedia'];
  };
  '/channels/{ch}/chatapp/media/{mediaId}': {
    parameters: {};
    /**
     * Downloads a media file
     * @description Returns a file that was uploaded or received with a message. A limited credential requires the scope `messages.read`.
     */
    get: operations['downloadChatappMedia'];
  };
  '/channels/{ch}/chatapp/registration': {
    parameters: {};
    /**
     * Registers the number at the platform
     * @description A number that was never registered, or no longer is, receives and sends nothing. Its health has the reason `account_not_registered`. Safe to repeat with the same PIN. The platform allows ten registrations in 72 hours. A limited credential requires the scope `channel.manage`. Requires the role of workspace developer.
     */
    post: operations['registerChatappNumber'];
  };
  '/channels/{ch}/chatapp/templates': {
    parameters: {};
    /**
     * Lists the message templates of the number's business account
     * @description With their status. Only approved templates can be sent. A limited credential requires the scope `channel.read`.
     */
    get: operations['listChatappTemplates'];
  };
  '/channels/{ch}/destinations': {
    parameters: {};
    /**
     * Lists the channel's destinations with their health
     * @description With circuit, failures and waiting deliveries of each. A limited credential requires the scope `deliveries.read`. A portal session requires the right `deliveries.read`.
     */
    get: operations['listChannelDestinations'];
    /**
     * Sets the order, headers, authentication, time-out, rate, retries and debounce of a destination
     * @description Omitted fields stay as they are. A limited credential requires the scope `webhook.manage`. Requires the role of workspace admin.
     */
    patch: operations['setDestinationOrdering'];
  };
  '/channels/{ch}/health': {
    parameters: {};
    /**
     * Returns what the platform says about the channel's account
     * @description From the last check. For the health of destinations, list the destinations of the channel. A limited credential requires the scope `channel.read`.
     */
    get: operations['getAccountHealth'];
  };
  '/channels/{ch}/health/refresh': {
    parameters: {};
    /**
     * Checks the channel's account at the platform now
     * @description Waits for the check. Within a minute of the last check it returns the stored result, so it is safe to repeat. If the platform does not answer, `lastFailure` says so, and the other fields are those of the check before. A limited credential requires the scope `channel.manage`. Requires the role of workspace developer.
     */
    post: operations['refreshAccountHealth'];
  };
  '/channels/{ch}/listeners': {
    parameters: {};
    /**
     * Lists the channel's listeners, newest first
     * @description With the number of deliveries that wait. A limited credential requires the scope `deliveries.read`.
     */
    get: operations['listListeners'];
    /**
     * Creates a listener, which stores the channel's events until you read them
     * @description A listener is deleted after seven days without a read. A limited credential requires the scope `webhook.manage`.
     */
    post: operations['createListener'];
  };
  '/channels/{ch}/listeners/{lst}': {
    parameters: {};
    /**
     * Returns a listener
     * @description With the number of deliveries that wait. A limited credential requires the scope `deliveries.read`.
     */
    get: operations['getListener'];
    /**
     * Deletes a listener
     * @description Its waiting deliveries are cancelled. A limited credential requires the scope `webhook.manage`.
     */
    delete: operations['deleteListener'];
  };
  '/channels/{ch}/listeners/{lst}/acknowledge': {
    parameters: {};
    /**
     * Records the outcomes of deliveries that were read
     * @description A delivery ends unless `retry` is true. A limited credential requires the scope `webhook.manage`.
     */
    post: operations['acknowledgeDeliveries'];
  };
  '/channels/{ch}/listeners/{lst}/deliveries': {
    parameters: {};
    /**
     * Reads the waiting deliveries of a listener, in order
     * @description They are signed like POST requests. With `waitSeconds`, the request waits for a delivery. A limited credential requires the scope `webhook.manage`.
     */
    get: operations['readListener'];
  };
  '/channels/{ch}/messages': {
    parameters: {};
    /**
     * Sends a message
     * @description Send `to` and `text`, or the content of the platform. The outcome follows as a status event. A limited credential requires the scope `message.send`.
     */
    post: operations['sendMessage'];
  };
  '/channels/{ch}/messages/{messageId}/read': {
    parameters: {};
    /**
     * Marks a received message as read
     * @description Use the id of the message in its event. A limited credential requires the scope `message.send`.
     */
    post: operations['markMessageRead'];
  };
  '/channels/{ch}/move': {
    parameters: {};
    /**
     * Moves a channel to another workspace of the organization
     * @description Existing events and deliveries stay in the previous workspace. A limited credential requires the scope `channel.manage`. Requires the role of organization admin.
     */
    post: operations['moveChannel'];
  };
  '/channels/{ch}/outbound-calls': {
    parameters: {};
    /**
     * Lists the calls to the platform for the channel, newest first
     * @description Calls through the gateway and of the service itself, without contents. A limited credential requires the scope `channel.read`.
     */
    get: operations['listOutboundCalls'];
  };
  '/channels/{ch}/pageapp/comments': {
    parameters: {};
    /**
     * Lists the comments on a post and their replies
     * @description Replies have the id of their comment in `parentId`. A limited credential requires the scope `channel.read`.
     */
    get: operations['listPageappComments'];
  };
  '/channels/{ch}/pageapp/comments/{commentId}/moderate': {
    parameters: {};
    /**
     * Hides, shows or deletes a comment
     * @description A deleted comment is gone for good. A limited credential requires the scope `channel.manage`.
     */
    post: operations['moderatePageappComment'];
  };
  '/channels/{ch}/pageapp/comments/{commentId}/replies': {
    parameters: {};
    /**
     * Replies to a comment, in public or in private
     * @description A private reply opens a conversation with the person. A limited credential requires the scope `channel.manage`.
     */
    post: operations['replyToPageappComment'];
  };
  '/channels/{ch}/pageapp/conversations': {
    parameters: {};
    /**
     * Lists the Page's conversations
     * @description With `conversationId`, returns one conversation with its messages. A limited credential requires the scope `messages.read`.
     */
    get: operations['listPageappConversations'];
  };
  '/channels/{ch}/pageapp/insights': {
    parameters: {};
    /**
     * Returns metrics of the Page or of a post
     * @description Metrics that the platform does not offer are listed in `unavailable`. A limited credential requires the scope `channel.read`.
     */
    get: operations['getPageappInsights'];
  };
  '/channels/{ch}/pageapp/page': {
    parameters: {};
    /**
     * Returns the Page
     * @description As the platform returns it. A limited credential requires the scope `channel.read`.
     */
    get: operations['getPageappPage'];
  };
  '/channels/{ch}/pageapp/posts': {
    parameters: {};
    /**
     * Lists the Page's posts
     * @description As the platform returns them. A limited credential requires the scope `channel.read`.
     */
    get: operations['listPageappPosts'];
    /**
     * Publishes a text, link, photo or video
     * @description `kind` says which of the other fields are required and allowed. A limited credential requires the scope `channel.manage`.
     */
    post: operations['publishPageappPost'];
  };
  '/channels/{ch}/pageapp/posts/{postId}': {
    parameters: {};
    /**
     * Deletes a post
     * @description A deleted post is gone for good. A limited credential requires the scope `channel.manage`.
     */
    delete: operations['deletePageappPost'];
  };
  '/channels/{ch}/pageapp/reels': {
    parameters: {};
    /**
     * Publishes a reel from a URL that the platform fetches
     * @description The platform processes the video after the response. A limited credential requires the scope `channel.manage`.
     */
    post: operations['publishPageappReel'];
  };
  '/channels/{ch}/photoapp/account': {
    parameters: {};
    /**
     * Returns the account
     * @description Includes its publishing quota on request. A limited credential requires the scope `channel.read`.
     */
    get: operations['getPhotoappAccount'];
  };
  '/channels/{ch}/photoapp/comments': {
    parameters: {};
    /**
     * Lists comments
     * @description Returns the comments on a media object or the replies to a comment. A limited credential requires the scope `channel.read`.
     */
    get: operations['listPhotoappComments'];
  };
  '/channels/{ch}/photoapp/comments/{commentId}/moderate': {
    parameters: {};
    /**
     * Hides, shows or deletes a comment
     * @description A deleted comment is gone for good. A limited credential requires the scope `channel.manage`.
     */
    post: operations['moderatePhotoappComment'];
  };
  '/channels/{ch}/photoapp/comments/{commentId}/replies': {
    parameters: {};
    /**
     * Replies to a comment, in public or in private
     * @description A private reply opens a conversation with the person. A limited credential requires the scope `channel.manage`.
     */
    post: operations['replyToPhotoappComment'];
  };
  '/channels/{ch}/photoapp/containers': {
    parameters: {};
    /**
     * Lists the media containers of the channel, newest first
     * @description Filter by status to find those that wait or failed. A limited credential requires the scope `channel.read`.
     */
    get: operations['listContainers'];
    /**
     * Creates a media container and waits until the platform accepts it
     * @description Positions of user tags on other media than images are dropped, because the platform has no place for them. A limited credential requires the scope `channel.manage`.
     */
    post: operations['createContainer'];
  };
  '/channels/{ch}/photoapp/containers/{ctr}': {
    parameters: {};
    /**
     * Returns a media container with its status
     * @description The status is refreshed on a schedule until the container is finished or has failed. A limited credential requires the scope `channel.read`.
     */
    get: operations['getContainer'];
  };
  '/channels/{ch}/photoapp/containers/{ctr}/publish': {
    parameters: {};
    /**
     * Publishes a finished media container, at most once
     * @description Returns the same answer if the container is published already. A limited credential requires the scope `channel.manage`.
     */
    post: operations['publishContainer'];
  };
  '/channels/{ch}/photoapp/conversations': {
    parameters: {};
    /**
     * Lists the account's conversations
     * @description With `conversationId`, returns one conversation with its messages. A limited credential requires the scope `messages.read`.
     */
    get: operations['listPhotoappConversations'];
  };
  '/channels/{ch}/photoapp/insights': {
    parameters: {};
    /**
     * Returns metrics of the account or of a media object
     * @description Metrics that the platform does not offer are listed in `unavailable`. A limited credential requires the scope `channel.read`.
     */
    get: operations['getPhotoappInsights'];
  };
  '/channels/{ch}/photoapp/media': {
    parameters: {};
    /**
     * Lists the account's media
     * @description Returns its posts or stories, or media that tag the account. A limited credential requires the scope `channel.read`.
     */
    get: operations['listPhotoappMedia'];
  };
  '/channels/{ch}/photoapp/media/{mediaId}/moderate': {
    parameters: {};
    /**
     * Enables or disables comments on a media object
     * @description Existing comments stay. A limited credential requires the scope `channel.manage`.
     */
    post: operations['moderatePhotoappMedia'];
  };
  '/channels/{ch}/photoapp/mentions': {
    parameters: {};
    /**
     * Lists mentions of the account
     * @description Returns media that tag the account. With `mediaId` or `commentId`, returns that mention. A limited credential requires the scope `channel.read`.
     */
    get: operations['listPhotoappMentions'];
  };
  '/channels/{ch}/photoapp/scheduled-posts': {
    parameters: {};
    /**
     * Lists the scheduled posts of the channel, newest first
     * @description Filter by status to find those that wait or failed. A limited credential requires the scope `channel.read`.
     */
    get: operations['listScheduledPosts'];
    /**
     * Schedules a post, which is created and published at its time
     * @description At its time, the post becomes a media container with `autoPublish`. The platform then fetches the media, so their URLs must still work, and a video is published some minutes later. The post is published even if the credential that scheduled it has been revoked by then. A limited credential requires the scope `channel.manage`.
     */
    post: operations['schedulePost'];
  };
  '/channels/{ch}/photoapp/scheduled-posts/{sp}': {
    parameters: {};
    /**
     * Returns a scheduled post
     * @description With the content, and the container once it has started. A limited credential requires the scope `channel.read`.
     */
    get: operations['getScheduledPost'];
    /**
     * Changes the time or the content of a post that has not started
     * @description Fails once the post has started. A limited credential requires the scope `channel.manage`.
     */
    patch: operations['changeScheduledPost'];
  };
  '/channels/{ch}/photoapp/scheduled-posts/{sp}/cancel': {
    parameters: {};
    /**
     * Cancels a post that has not started
     * @description Fails once the post has started. A limited credential requires the scope `channel.manage`.
     */
    post: operations['cancelScheduledPost'];
  };
  '/channels/{ch}/scheduled-messages': {
    parameters: {};
    /**
     * Lists the scheduled messages of the channel, newest first
     * @description Without their content. A limited credential requires the scope `message.send`.
     */
    get: operations['listScheduledMessages'];
    /**
     * Schedules a message, which is sent once at its time
     * @description The content is encrypted and erased when the message ends. The message is sent even if the credential that scheduled it has been revoked by then. If the channel is disconnected or moved at that time, it fails. A limited credential requires the scope `message.send`.
     */
    post: operations['scheduleMessage'];
  };
  '/channels/{ch}/scheduled-messages/{sm}': {
    parameters: {};
    /**
     * Returns a scheduled message with its content
     * @description The content is null once the message has ended. A limited credential requires the scope `message.send`.
     */
    get: operations['getScheduledMessage'];
    /**
     * Changes the time or the content of a message that is not sent yet
     * @description Fails once the send has begun. A limited credential requires the scope `message.send`.
     */
    patch: operations['changeScheduledMessage'];
  };
  '/channels/{ch}/scheduled-messages/{sm}/cancel': {
    parameters: {};
    /**
     * Cancels a message that is not sent yet
     * @description Fails once the send has begun. A limited credential requires the scope `message.send`.
     */
    post: operations['cancelScheduledMessage'];
  };
  '/channels/{ch}/statistics': {
    parameters: {};
    /**
     * Counts the deliveries of each destination over time, with their latency
     * @description The last hour in 60 buckets by default. A limited credential requires the scope `deliveries.read`. A portal session requires the right `deliveries.read`.
     */
    get: operations['getChannelStatistics'];
  };
  '/channels/{ch}/subscriptions': {
    parameters: {};
    /**
     * Lists the channel's event subscriptions, newest first
     * @description Includes disabled subscriptions. A limited credential requires the scope `channel.read`. A portal session requires the right `subscriptions.read`.
     */
    get: operations['listSubscriptions'];
    /**
     * Creates an event subscription, which sends selected events to a URL
     * @description Deliveries are signed with the secret of the channel. The URL is not probed. A limited credential requires the scope `webhook.manage`. A portal session requires the right `subscriptions.manage`. Requires the role of workspace admin.
     */
    post: operations['createSubscription'];
  };
  '/channels/{ch}/subscriptions/{sub}': {
    parameters: {};
    /**
     * Returns an event subscription
     * @description With the types of events that it receives. A limited credential requires the scope `channel.read`. A portal session requires the right `subscriptions.read`.
     */
    get: operations['getSubscription'];
    /**
     * Deletes an event subscription
     * @description Its waiting deliveries are cancelled. A limited credential requires the scope `webhook.manage`. A portal session requires the right `subscriptions.manage`. Requires the role of workspace admin.
     */
    delete: operations['deleteSubscription'];
    /**
     * Updates an event subscription
     * @description Of two concurrent updates, the later one wins. A limited credential requires the scope `webhook.manage`. A portal session requires the right `subscriptions.manage`. Requires the role of workspace admin.
     */
    patch: operations['editSubscription'];
  };
  '/channels/{ch}/subscriptions/{sub}/test': {
    parameters: {};
    /**
     * Sends a test event to an event subscription and returns the attempt
     * @description The test event is signed like a real one. It is not retried and no delivery. A host that no verified webhook of the organization has gets at most 10 requested deliveries per second; more get `RATE_LIMITED`. A limited credential requires the scope `webhook.manage`. A portal session requires the right `subscriptions.manage`. Requires the role of workspace admin.
     */
    post: operations['testSubscription'];
  };
  '/channels/{ch}/test-events': {
    parameters: {};
    /**
     * Lists the test events of the channel's destinations, newest first
     * @description Test events are stored apart from deliveries. A limited credential requires the scope `deliveries.read`.
     */
    get: operations['listTestEvents'];
  };
  '/channels/{ch}/test-events/{wd}': {
    parameters: {};
    /**
     * Returns a test event with its payload and attempt
     * @description With the response of the receiver. A limited credential requires the scope `deliveries.read`.
     */
    get: operations['getTestEvent'];
  };
  '/channels/{ch}/test-events/{wd}/requests': {
    parameters: {};
    /**
     * Returns what a test event sent
     * @description With the headers and signatures, so that you can check the request again. A limited credential requires the scope `deliveries.read`.
     */
    get: operations['listTestEventRequests'];
  };
  '/channels/{ch}/typing': {
    parameters: {};
    /**
     * Shows a typing indicator for about 25 seconds or until a message is sent
     * @description A chatapp channel requires `messageId`, other channels `to`. A limited credential requires the scope `message.send`.
     */
    post: operations['showTyping'];
  };
  '/deliveries': {
    parameters: {};
    /**
     * Lists and searches deliveries without payloads and attempts, newest first
     * @description Filters combine. Read payloads and attempts of a single delivery with `GET /deliveries/{wd}`. A limited credential requires the scope `deliveries.read`. A portal session requires the right `deliveries.read`.
     */
    get: operations['listDeliveries'];
  };
  '/deliveries/{wd}': {
    parameters: {};
    /**
     * Returns a delivery with its payload and attempts
     * @description The payload is the body as it is signed and sent. Each attempt has the response of the receiver. A limited credential requires the scope `deliveries.read`. A portal session requires the right `deliveries.read`.
     */
    get: operations['getDelivery'];
  };
  '/deliveries/{wd}/cancel': {
    parameters: {};
    /**
     * Cancels a waiting delivery
     * @description Cancelling it again changes nothing. Fails if the delivery has ended otherwise. A limited credential requires the scope `deliveries.replay`. A portal session requires the right `deliveries.retry`.
     */
    post: operations['cancelDelivery'];
  };
  '/deliveries/{wd}/replay': {
    parameters: {};
    /**
     * Sends the event of a delivery again as a new delivery
     * @description The new delivery is outside the order of its conversation. A host that no verified webhook of the organization has gets at most 10 requested deliveries per second; more get `RATE_LIMITED`. A limited credential requires the scope `deliveries.replay`. A portal session requires the right `deliveries.retry`.
     */
    post: operations['replayDelivery'];
  };
  '/deliveries/{wd}/requests': {
    parameters: {};
    /**
     * Returns what each attempt of a delivery sent
     * @description The latest 100. With the payload of the delivery, each can be checked and sent again. Omits attempts that sent nothing, attempts of releases before this route, and erased ones. A listener has none. A limited credential requires the scope `deliveries.read`.
     */
    get: operations['listDeliveryRequests'];
  };
  '/deliveries/{wd}/retry': {
    parameters: {};
    /**
     * Sends a waiting delivery now
     * @description It does not wait for its conversation, an open circuit, the rate or `debounce`. If the delivery has ended, a new retry schedule begins, and the delivery waits like the others of its destination. A host that no verified webhook of the organization has gets at most 10 requested deliveries per second; more get `RATE_LIMITED`. A limited credential requires the scope `deliveries.replay`. A portal session requires the right `deliveries.retry`.
     */
    post: operations['retryDelivery'];
  };
  '/deliveries/histogram': {
    parameters: {};
    /**
     * Counts deliveries by time and result
     * @description Takes the filters of the list, and counts the newest 50,000 deliveries that they leave. A limited credential requires the scope `deliveries.read`. A portal session requires the right `deliveries.read`.
     */
    get: operations['countDeliveries'];
  };
  '/deliveries/stream': {
    parameters: {};
    /**
     * Streams changes of deliveries
     * @description Sends the changes in a channel or a workspace as server-sent events. Resumes after Last-Event-ID. A limited credential requires the scope `deliveries.read`.
     */
    get: operations['streamDeliveries'];
  };
  '/healthz': {
    parameters: {};
    /**
     * Reports that the process is running
     * @description Does not check the database. Use it for restarts.
     */
    get: operations['getHealth'];
  };
  '/invitations/accept': {
    parameters: {};
    /**
     * Accepts an invitation
     * @description Only the invited person can accept it, once. Existing members keep their role. Accepts only sessions of people.
     */
    post: operations['acceptInvitation'];
  };
  '/organizations': {
    parameters: {};
    /**
     * Creates an organization
     * @description You become its admin, and it gets a workspace. For people who have accepted no invitation, and for those who need another organization. Accepts only sessions of people.
     */
    post: operations['createOrganization'];
  };
  '/organizations/{org}': {
    parameters: {};
    /**
     * Returns an organization
     * @description With its name. A limited credential requires the scope `workspace.read`.
     */
    get: operations['getOrganization'];
    /**
     * Renames an organization
     * @description The name is shown to members and in invitations. Accepts only sessions of people and API keys. Requires the role of organization admin.
     */
    patch: operations['updateOrganization'];
  };
  '/organizations/{org}/alert-count': {
    parameters: {};
    /**
     * Counts the open alerts of an organization by severity
     * @description For a badge beside the list. A limited credential requires the scope `deliveries.read`.
     */
    get: operations['countAlerts'];
  };
  '/organizations/{org}/alert-preferences': {
    parameters: {};
    /**
     * Returns which alerts you get by email
     * @description Without rules, you get none. Accepts only sessions of people.
     */
    get: operations['getAlertPreferences'];
    /**
     * Chooses which alerts you get by email
     * @description Replaces all your rules in the organization. One email lists many alerts, and one more says that they are over. Accepts only sessions of people.
     */
    put: operations['setAlertPreferences'];
  };
  '/organizations/{org}/alert-webhook': {
    parameters: {};
    /**
     * Returns the organization's alert webhook and its last delivery
     * @description `url` is null if none is set. A limited credential requires the scope `webhook.manage`. Requires the role of organization admin.
     */
    get: operations['getAlertWebhook'];
    /**
     * Sets where the organization gets its alerts by signed calls
     * @description Its first secret is returned once. It gets alerts that open from now on. A limited credential requires the scope `webhook.manage`. Requires the role of organization admin.
     */
    put: operations['setAlertWebhook'];
    /**
     * Deletes the organization's alert webhook with its secrets and pending calls
     * @description Succeeds without an alert webhook, too. A limited credential requires the scope `webhook.manage`. Requires the role of organization admin.
     */
    delete: operations['deleteAlertWebhook'];
  };
  '/organizations/{org}/alert-webhook/rotate-secret': {
    parameters: {};
    /**
     * Rotates the secret that signs the calls to the alert webhook
     * @description Calls carry the signatures of both secrets during the overlap. A limited credential requires the scope `webhook.manage`. Requires the role of organization admin.
     */
    post: operations['rotateAlertWebhookSecret'];
  };
  '/organizations/{org}/alert-webhook/test': {
    parameters: {};
    /**
     * Sends a test call to the alert webhook and returns its outcome
     * @description Also if it is disabled. A test is not repeated. A limited credential requires the scope `webhook.manage`. Requires the role of organization admin.
     */
    post: operations['testAlertWebhook'];
  };
  '/organizations/{org}/alerts': {
    parameters: {};
    /**
     * Lists the alerts of an organization, newest first
     * @description Members see the alerts of their workspaces, admins of the organization all of them. A limited credential requires the scope `deliveries.read`.
     */
    get: operations['listAlerts'];
  };
  '/organizations/{org}/audit-entries': {
    parameters: {};
    /**
     * Lists the organization's security-relevant actions, newest first
     * @description Filter by action, actor and time. Sends and publications are in each channel's outbound calls, with their credential. Accepts only sessions of people and API keys. Requires the role of organization admin.
     */
    get: operations['listAuditEntries'];
  };
  '/organizations/{org}/branding': {
    parameters: {};
    /**
     * Returns how pages for customers show the organization
     * @description Null values mean the name of the organization and the colors of the service. A limited credential requires the scope `workspace.read`.
     */
    get: operations['getBranding'];
    /**
     * Sets how pages for customers show the organization
     * @description Replaces all fields; a missing one is reset. Accepts only sessions of people and API keys. Requires the role of organization admin.
     */
    put: operations['putBranding'];
  };
  '/organizations/{org}/default-webhook': {
    parameters: {};
    /**
     * Returns the organization's default webhook
     * @description New channels get it, unless their workspace has its own. A limited credential requires the scope `webhook.manage`. Requires the role of organization admin.
     */
    get: operations['getOrganizationDefaultWebhook'];
    /**
     * Sets the organization's default webhook after two successful probes
     * @description Existing channels keep their webhooks until you apply it. A limited credential requires the scope `webhook.manage`. Requires the role of organization admin.
     */
    put: operations['putOrganizationDefaultWebhook'];
    /**
     * Deletes the organization's default webhook
     * @description Channels keep the webhooks that they have. A limited credential requires the scope `webhook.manage`. Requires the role of organization admin.
     */
    delete: operations['deleteOrganizationDefaultWebhook'];
  };
  '/organizations/{org}/default-webhook/apply': {
    parameters: {};
    /**
     * Applies the organization's default webhook to existing channels
     * @description Each channel is probed. Channels of workspaces with their own default are skipped. A limited credential requires the scope `webhook.manage`. Requires the role of organization admin.
     */
    post: operations['applyOrganizationDefaultWebhook'];
  };
  '/organizations/{org}/default-webhook/rollouts': {
    parameters: {};
    /**
     * Lists the rollouts of the organization's default webhook, newest first
     * @description A rollout applies a default webhook to existing channels. A limited credential requires the scope `webhook.manage`. Requires the role of organization admin.
     */
    get: operations['listOrganizationRollouts'];
  };
  '/organizations/{org}/default-webhook/rollouts/{dwr}': {
    parameters: {};
    /**
     * Returns a rollout of the organization's default webhook with its progress
     * @description Counts the channels by outcome. A limited credential requires the scope `webhook.manage`. Requires the role of organization admin.
     */
    get: operations['getOrganizationRollout'];
  };
  '/organizations/{org}/default-webhook/rollouts/{dwr}/cancel': {
    parameters: {};
    /**
     * Cancels a rollout of the organization's default webhook
     * @description Channels that already got it keep it. A limited credential requires the scope `webhook.manage`. Requires the role of organization admin.
     */
    post: operations['cancelOrganizationRollout'];
  };
  '/organizations/{org}/default-webhook/rollouts/{dwr}/results': {
    parameters: {};
    /**
     * Lists the channels of an organization's rollout with their results
     * @description Says for each channel what was done, and why it was skipped or failed. A limited credential requires the scope `webhook.manage`. Requires the role of organization admin.
     */
    get: operations['listOrganizationRolloutResults'];
  };
  '/organizations/{org}/erasures': {
    parameters: {};
    /**
     * Lists the erasures of an organization, newest first
     * @description With their progress. Accepts only sessions of people and API keys. Requires the role of organization admin.
     */
    get: operations['listErasures'];
    /**
     * Erases the data of an event, a sender or a workspace before its retention ends
     * @description Empties bodies, senders and responses and cancels waiting deliveries. States and counts stay. It cannot be undone. Accepts only sessions of people and API keys. Requires the role of organization admin.
     */
    post: operations['createErasure'];
  };
  '/organizations/{org}/erasures/{ers}': {
    parameters: {};
    /**
     * Returns an erasure with its progress and report
     * @description The report counts what was erased. Accepts only sessions of people and API keys. Requires the role of organization admin.
     */
    get: operations['getErasure'];
  };
  '/organizations/{org}/invitations': {
    parameters: {};
    /**
     * Lists the invitations of an organization, newest first
     * @description Includes those that are accepted, revoked or expired. Accepts only sessions of people and API keys. Requires the role of organization admin.
     */
    get: operations['listInvitations'];
    /**
     * Invites a person to the organization, and optionally to a workspace
     * @description The invitation is sent by email and expires after seven days. Accepts only sessions of people and API keys. Requires the role of organization admin.
     */
    post: operations['createInvitation'];
  };
  '/organizations/{org}/invitations/{inv}': {
    parameters: {};
    /**
     * Revokes an open invitation
     * @description Its link stops working. Accepts only sessions of people and API keys. Requires the role of organization admin.
     */
    delete: operations['revokeInvitation'];
  };
  '/organizations/{org}/keys': {
    parameters: {};
    /**
     * Lists the API keys that are not revoked, newest first
     * @description Includes agents' keys. Keys are shortened. Accepts only sessions of people. Requires the role of organization admin.
     */
    get: operations['listApiKeys'];
    /**
     * Creates an API key
     * @description The key has full access to the organization, unless it is limited to scopes, workspaces or client addresses. It belongs to the organization and remains valid when its creator leaves. Accepts only sessions of people. Requires the role of organization admin.
     */
    post: operations['createApiKey'];
  };
  '/organizations/{org}/keys/{key}': {
    parameters: {};
    /**
     * Revokes an API key
     * @description The key stops working immediately. Accepts only sessions of people. Requires the role of organization admin.
     */
    delete: operations['revokeApiKey'];
    /**
     * Changes or narrows an API key
     * @description Takes effect immediately, also on open streams. Scopes and workspaces can only be narrowed; for more rights, create another key. Channel tokens that the key obtained lose the removed scopes and workspaces too. Accepts only sessions of people. Requires the role of organization admin.
     */
    patch: operations['changeApiKey'];
  };
  '/organizations/{org}/keys/{key}/cancel-scheduled': {
    parameters: {};
    /**
     * Cancels what an API key has scheduled
     * @description Works after the revocation, too. Reports an outcome for each message and post. Do it after the revocation. Repeat it until `remaining` is 0. Accepts only sessions of people. Requires the role of organization admin.
     */
    post: operations['cancelScheduledByKey'];
  };
  '/organizations/{org}/keys/{key}/reveal': {
    parameters: {};
    /**
     * Shows an API key in full
     * @description Agents' keys cannot be shown. Accepts only sessions of people. Requires the role of organization admin.
     */
    post: operations['revealApiKey'];
  };
  '/organizations/{org}/keys/{key}/scheduled': {
    parameters: {};
    /**
     * Lists what an API key has scheduled
     * @description Works after the revocation, too. Lists messages and posts that have not begun, the first due first. Accepts only sessions of people. Requires the role of organization admin.
     */
    get: operations['listScheduledByKey'];
  };
  '/organizations/{org}/members': {
    parameters: {};
    /**
     * Lists the members of an organization, newest first
     * @description With their roles. Accepts only sessions of people and API keys. Requires the role of organization admin.
     */
    get: operations['listOrganizationMembers'];
  };
  '/organizations/{org}/members/{usr}': {
    parameters: {};
    /**
     * Removes a person from an organization
     * @description Removes the person from all its workspaces and revokes their agents' keys. Accepts only sessions of people and API keys. Requires the role of organization admin.
     */
    delete: operations['removeOrganizationMember'];
    /**
     * Changes a member's role
     * @description The last admin must stay an admin. Accepts only sessions of people and API keys. Requires the role of organization admin.
     */
    patch: operations['changeOrganizationMember'];
  };
  '/organizations/{org}/members/{usr}/keys': {
    parameters: {};
    /**
     * Lists the valid API keys that a person created or has seen, newest first
     * @description Includes people who have left. Accepts only sessions of people and API keys. Requires the role of organization admin.
     */
    get: operations['listMemberKeys'];
  };
  '/organizations/{org}/members/{usr}/reveals': {
    parameters: {};
    /**
     * Lists the secrets that a person, their keys and their agents have read
     * @description Includes people who have left. Accepts only sessions of people and API keys. Requires the role of organization admin.
     */
    get: operations['listMemberReveals'];
  };
  '/organizations/{org}/members/{usr}/revoke-keys': {
    parameters: {};
    /**
     * Revokes API keys of a person
     * @description Revokes all keys that the person created, or the given ones. Accepts only sessions of people. Requires the role of organization admin.
     */
    post: operations['revokeMemberKeys'];
  };
  '/organizations/{org}/members/{usr}/rotate-revealed': {
    parameters: {};
    /**
     * Rotates the current secrets that a person, their keys or their agents have read
     * @description Do it when a person leaves. Repeat it until `remaining` is 0. Accepts only sessions of people and API keys. Requires the role of organization admin.
     */
    post: operations['rotateMemberReveals'];
  };
  '/organizations/{org}/onboarding-links': {
    parameters: {};
    /**
     * Lists an organization's onboarding links with the revoked ones, newest first
     * @description With the number of accounts that were connected. A limited credential requires the scope `channel.connect`. Requires the role of organization admin.
     */
    get: operations['listOnboardingLinks'];
    /**
     * Creates a link that a customer opens to connect one or more accounts
     * @description Send the URL to your customer. The accounts become channels of the workspace. A limited credential requires the scope `channel.connect`. Requires the role of organization admin.
     */
    post: operations['createOnboardingLink'];
  };
  '/organizations/{org}/onboarding-links/{ol}': {
    parameters: {};
    /**
     * Returns an onboarding link
     * @description With the number of accounts that were connected. A limited credential requires the scope `channel.connect`. Requires the role of organization admin.
     */
    get: operations['getOnboardingLink'];
    /**
     * Revokes an onboarding link permanently
     * @description Customers who are connecting through the link are stopped. A limited credential requires the scope `channel.connect`. Requires the role of organization admin.
     */
    delete: operations['revokeOnboardingLink'];
    /**
     * Changes an onboarding link that is not revoked
     * @description The new values apply to customers who are already connecting, too. A limited credential requires the scope `channel.connect`. Requires the role of organization admin.
     */
    patch: operations['changeOnboardingLink'];
  };
  '/organizations/{org}/onboarding-links/{ol}/regenerate': {
    parameters: {};
    /**
     * Replaces the URL of an onboarding link that is not revoked
     * @description The previous URL stops working immediately. A limited credential requires the scope `channel.connect`. Requires the role of organization admin.
     */
    post: operations['regenerateOnboardingLink'];
  };
  '/organizations/{org}/overview': {
    parameters: {};
    /**
     * Returns the deliveries of the last 24 hours and what needs attention
     * @description Covers the workspaces that the caller sees: admins of the organization see all, members and keys that are limited to workspaces only theirs. A limited credential requires the scope `deliveries.read`.
     */
    get: operations['getOverview'];
  };
  '/organizations/{org}/person-exports': {
    parameters: {};
    /**
     * Exports everything that is stored about a sender, as JSON lines
     * @description The response is a file with one record per line. It is complete if its last line has the type `end`; otherwise repeat the request. An erasure of the same sender removes the same records. An organization has one export at a time. Accepts only sessions of people and API keys. Requires the role of organization admin.
     */
    post: operations['exportPerson'];
  };
  '/organizations/{org}/usage': {
    parameters: {};
    /**
     * Returns what an organization, its workspaces or channels were used for, by day or month
     * @description Counts outlive the events that they count. A limited credential requires the scope `workspace.read`. Requires the role of organization admin.
     */
    get: operations['getUsage'];
  };
  '/organizations/{org}/usage/csv': {
    parameters: {};
    /**
     * Returns the usage as a CSV file
     * @description At most 100000 rows. The header names the fields of the JSON response. A limited credential requires the scope `workspace.read`. Requires the role of organization admin.
     */
    get: operations['exportUsage'];
  };
  '/organizations/{org}/workspaces': {
    parameters: {};
    /**
     * Lists the workspaces of an organization, newest first
     * @description `kind=customer` returns customers; `externalId` finds one and `search` those with a part of a name. A key that is limited to workspaces sees only these. A limited credential requires the scope `workspace.read`.
     */
    get: operations['listWorkspaces'];
    /**
     * Creates a workspace
     * @description A workspace belongs to a team or to a customer. A limited credential requires the scope `workspace.manage`. Requires the role of organization admin.
     */
    post: operations['createWorkspace'];
  };
  '/platform/channels': {
    parameters: {};
    /**
     * Lists the channels of the workspace, newest first
     * @description `connected` says whether the account is connected at present. A limited credential requires the scope `channel.read`. A portal session requires the right `channels.read`.
     */
    get: operations['listChannels'];
  };
  '/platform/channels/{ch}': {
    parameters: {};
    /**
     * Returns a channel
     * @description With its account at the platform, its webhook URL and whether events are forwarded. A limited credential requires the scope `channel.read`. A portal session requires the right `channels.read`.
     */
    get: operations['getChannel'];
  };
  '/platform/channels/{ch}/disable': {
    parameters: {};
    /**
     * Disables forwarding
     * @description Waiting deliveries are skipped. A limited credential requires the scope `channel.manage`. Requires the role of workspace admin.
     */
    post: operations['disableChannel'];
  };
  '/platform/channels/{ch}/disconnect': {
    parameters: {};
    /**
     * Disconnects a channel from the platform
     * @description Waiting deliveries are cancelled. What the platform sends from then on is delivered once the account is connected again in the same workspace. A limited credential requires the scope `channel.manage`. Requires the role of workspace admin.
     */
    post: operations['disconnectChannel'];
  };
  '/platform/channels/{ch}/enable': {
    parameters: {};
    /**
     * Enables forwarding
     * @description Events that were skipped while forwarding was disabled are not sent. A limited credential requires the scope `channel.manage`. Requires the role of workspace admin.
     */
    post: operations['enableChannel'];
  };
  '/platform/channels/{ch}/env': {
    parameters: {};
    /**
     * Returns environment variables for a client of the channel
     * @description Write them into the `.env` file of a program that uses the gateway and receives events. A limited credential requires the scope `channel.reveal`. Requires the role of workspace developer.
     */
    get: operations['getChannelEnv'];
  };
  '/platform/channels/{ch}/token': {
    parameters: {};
    /**
     * Returns the channel's token for the gateway
     * @description The first request mints it. A limited credential requires the scope `channel.reveal`. Requires the role of workspace developer.
     */
    get: operations['getChannelToken'];
  };
  '/platform/channels/{ch}/token/rotate': {
    parameters: {};
    /**
     * Mints a new channel token
     * @description The previous token stays valid for the overlap. A limited credential requires the scopes `channel.manage` and `channel.reveal`. Requires the role of workspace admin.
     */
    post: operations['rotateChannelToken'];
  };
  '/platform/webhooks': {
    parameters: {};
    /**
     * Answers the platform's handshake with its challenge
     * @description The platform calls it once, when its webhook is set up.
     */
    get: operations['answerHandshake'];
    /**
     * Accepts signed events of the platform and responds after they are stored
     * @description The platform calls it. `Retry-After` and the status 429 or 503 mean that too many events are waiting to be stored, or that nothing can be stored at present: the platform sends the events again. Repeated wrong signatures from one address are limited, too.
     */
    post: operations['acceptPlatformEvents'];
  };
  '/portal/session': {
    parameters: {};
    /**
     * Exchanges the secret of a portal link for a session
     * @description The page of the link calls this. The session ends with the link.
     */
    post: operations['startPortalSession'];
  };
  '/readyz': {
    parameters: {};
    /**
     * Reports whether the process can serve requests
     * @description Checks that the database is reachable and migrated, and reports whether Temporal has the namespace of this installation.
     */
    get: operations['getReadiness'];
  };
  '/replays': {
    parameters: {};
    /**
     * Lists the replays of a channel, workspace or organization, newest first
     * @description The workspace in X-Workspace-Id by default. A limited credential requires the scope `deliveries.read`. A portal session requires the right `replays.read`.
     */
    get: operations['listReplays'];
    /**
     * Creates a replay, which sends old events again
     * @description It runs below live traffic and outside the order of conversations. A limited credential requires the scope `deliveries.replay`. A portal session requires the right `replays.manage`.
     */
    post: operations['createReplay'];
  };
  '/replays/{rpl}': {
    parameters: {};
    /**
     * Returns a replay with its progress
     * @description Counts the deliveries that the replay has sent. A limited credential requires the scope `deliveries.read`. A portal session requires the right `replays.read`.
     */
    get: operations['getReplay'];
  };
  '/replays/{rpl}/cancel': {
    parameters: {};
    /**
     * Cancels a replay
     * @description Deliveries that it has already created continue. A limited credential requires the scope `deliveries.replay`. A portal session requires the right `replays.manage`.
     */
    post: operations['cancelReplay'];
  };
  '/replays/{rpl}/pause': {
    parameters: {};
    /**
     * Pauses a replay
     * @description Nothing more is sent until you resume it. A limited credential requires the scope `deliveries.replay`. A portal session requires the right `replays.manage`.
     */
    post: operations['pauseReplay'];
  };
  '/replays/{rpl}/resume': {
    parameters: {};
    /**
     * Resumes a paused replay
     * @description Continues with the deliveries that are not sent yet. A limited credential requires the scope `deliveries.replay`. A portal session requires the right `replays.manage`.
     */
    post: operations['resumeReplay'];
  };
  '/staff/audit-entries': {
    parameters: {};
    /**
     * Lists actions of staff
     * @description Returns what staff did in any organization and what happened outside organizations, newest first. The request is audited. Accepts only staff keys.
     */
    get: operations['listStaffAuditEntries'];
  };
  '/staff/channels/{ch}': {
    parameters: {};
    /**
     * Returns the health of a channel of any organization
     * @description Shows what is waiting and why. The request is audited. Accepts only staff keys.
     */
    get: operations['getChannelHealth'];
  };
  '/staff/channels/{ch}/unrouted-events/send': {
    parameters: {};
    /**
     * Sends unrouted events of the channel's account on to the channel
     * @description Accepts the events that arrived before the channel was connected, oldest first, as if the platform sent them now. Skips those that cannot be decrypted or accepted. Repeating the call sends nothing twice. The organization sees it in its audit log. Accepts only staff keys.
     */
    post: operations['sendUnroutedEvents'];
  };
  '/staff/deliveries': {
    parameters: {};
    /**
     * Searches deliveries of all organizations
     * @description Returns the newest first. The request is audited. Accepts only staff keys.
     */
    get: operations['searchDeliveries'];
  };
  '/staff/deliveries/{wd}': {
    parameters: {};
    /**
     * Returns a delivery of any organization with its payload and attempts
     * @description The audit log of the organization shows who read it and why. Accepts only staff keys.
     */
    get: operations['readStaffDelivery'];
  };
  '/staff/deliveries/{wd}/replay': {
    parameters: {};
    /**
     * Sends the event of a delivery again as a new delivery, as staff
     * @description Requires a reason, which is recorded. Accepts only staff keys.
     */
    post: operations['replayStaffDelivery'];
  };
  '/staff/deliveries/{wd}/retry': {
    parameters: {};
    /**
     * Sends a waiting delivery now, as staff
     * @description If the delivery has ended, a new retry schedule begins. Accepts only staff keys.
     */
    post: operations['retryStaffDelivery'];
  };
  '/staff/invariants': {
    parameters: {};
    /**
     * Returns the last daily check of the ledger
     * @description Shows the violations of each rule. The request is audited. Accepts only staff keys.
     */
    get: operations['readInvariants'];
  };
  '/staff/replays': {
    parameters: {};
    /**
     * Lists replays of any organization
     * @description Returns the replays of a channel, a workspace or an organization, newest first. The request is audited. Accepts only staff keys.
     */
    get: operations['listStaffReplays'];
    /**
     * Creates a replay in any organization
     * @description Sends old events again. A dry run only counts them. Both are audited. Accepts only staff keys.
     */
    post: operations['createStaffReplay'];
  };
  '/staff/replays/{rpl}': {
    parameters: {};
    /**
     * Returns a replay of any organization
     * @description The request is audited. Accepts only staff keys.
     */
    get: operations['getStaffReplay'];
  };
  '/staff/replays/{rpl}/cancel': {
    parameters: {};
    /**
     * Cancels a replay as staff
     * @description Deliveries that it has already created continue. Accepts only staff keys.
     */
    post: operations['cancelStaffReplay'];
  };
  '/staff/replays/{rpl}/pause': {
    parameters: {};
    /**
     * Pauses a replay as staff
     * @description Nothing more is sent until it is resumed. Accepts only staff keys.
     */
    post: operations['pauseStaffReplay'];
  };
  '/staff/replays/{rpl}/resume': {
    parameters: {};
    /**
     * Resumes a paused replay as staff
     * @description Requires a reason, which is recorded. Accepts only staff keys.
     */
    post: operations['resumeStaffReplay'];
  };
  '/staff/unrouted-events': {
    parameters: {};
    /**
     * Lists events of unknown channels
     * @description Returns what the platform sent for channels that do not exist here, newest first. The request is audited. Accepts only staff keys.
     */
    get: operations['listUnroutedEvents'];
  };
  '/webhook-config/{ch}': {
    parameters: {};
    /**
     * Returns the channel's webhook
     * @description `webhookUrl` is null if none is set. The result of the last probes is included. A limited credential requires the scope `webhook.manage`.
     */
    get: operations['getWebhookConfig'];
    /**
     * Sets the channel's webhook after two successful probes of its URL
     * @description If a probe fails, nothing is saved, and `lastVerification` of the webhook says what was found. A limited credential requires the scope `webhook.manage`. Requires the role of workspace admin.
     */
    put: operations['putWebhookConfig'];
    /**
     * Deletes the channel's webhook
     * @description Its waiting deliveries are cancelled. A limited credential requires the scope `webhook.manage`. Requires the role of workspace admin.
     */
    delete: operations['deleteWebhookConfig'];
  };
  '/webhook-config/{ch}/hmac': {
    parameters: {};
    /**
     * Returns the signing secret
     * @description Receivers check signatures with it. A limited credential requires the scopes `webhook.manage` and `channel.reveal`. Requires the role of workspace developer.
     */
    get: operations['getWebhookHmac'];
  };
  '/webhook-config/{ch}/rotate-hmac': {
    parameters: {};
    /**
     * Rotates the signing secret
     * @description Deliveries carry the signatures of both secrets during the overlap. A limited credential requires the scopes `webhook.manage` and `channel.reveal`. Requires the role of workspace admin.
     */
    post: operations['rotateWebhookHmac'];
  };
  '/webhook-config/{ch}/test': {
    parameters: {};
    /**
     * Sends a test event to the webhook and returns the attempt
     * @description The test event is signed like a real one. It is not retried and no delivery. A limited credential requires the scope `webhook.manage`. Requires the role of workspace admin.
     */
    post: operations['testWebhook'];
  };
  '/workspaces/{ws}': {
    parameters: {};
    /**
     * Returns a workspace
     * @description With its kind and your own id of the customer. A limited credential requires the scope `workspace.read`.
     */
    get: operations['getWorkspace'];
    /**
     * Deletes a workspace
     * @description Disconnects its channels and cancels waiting deliveries. The last workspace cannot be deleted. A limited credential requires the scope `workspace.manage`. Requires the role of organization admin.
     */
    delete: operations['deleteWorkspace'];
    /**
     * Renames a workspace
     * @description Admins of the organization can also change a customer's external id. A limited credential requires the scope `workspace.manage`. Requires the role of workspace admin.
     */
    patch: operations['updateWorkspace'];
  };
  '/workspaces/{ws}/channel-health': {
    parameters: {};
    /**
     * Lists the health of the channels of a workspace, newest channels first
     * @description Returns the last check of each channel without asking the platform. A limited credential requires the scope `channel.read`.
     */
    get: operations['listAccountHealth'];
  };
  '/workspaces/{ws}/default-webhook': {
    parameters: {};
    /**
     * Returns the workspace's default webhook
     * @description It takes precedence over the organization's. A limited credential requires the scope `webhook.manage`. Requires the role of workspace admin.
     */
    get: operations['getWorkspaceDefaultWebhook'];
    /**
     * Sets the workspace's default webhook after two successful probes
     * @description Existing channels keep their webhooks until you apply it. A limited credential requires the scope `webhook.manage`. Requires the role of workspace admin.
     */
    put: operations['putWorkspaceDefaultWebhook'];
    /**
     * Deletes the workspace's default webhook
     * @description Channels keep the webhooks that they have. A limited credential requires the scope `webhook.manage`. Requires the role of workspace admin.
     */
    delete: operations['deleteWorkspaceDefaultWebhook'];
  };
  '/workspaces/{ws}/default-webhook/apply': {
    parameters: {};
    /**
     * Applies the workspace's default webhook to existing channels
     * @description Each channel is probed. A limited credential requires the scope `webhook.manage`. Requires the role of workspace admin.
     */
    post: operations['applyWorkspaceDefaultWebhook'];
  };
  '/workspaces/{ws}/default-webhook/rollouts': {
    parameters: {};
    /**
     * Lists the rollouts of the workspace's default webhook, newest first
     * @description A rollout applies a default webhook to existing channels. A limited credential requires the scope `webhook.manage`. Requires the role of workspace admin.
     */
    get: operations['listWorkspaceRollouts'];
  };
  '/workspaces/{ws}/default-webhook/rollouts/{dwr}': {
    parameters: {};
    /**
     * Returns a rollout of the workspace's default webhook with its progress
     * @description Counts the channels by outcome. A limited credential requires the scope `webhook.manage`. Requires the role of workspace admin.
     */
    get: operations['getWorkspaceRollout'];
  };
  '/workspaces/{ws}/default-webhook/rollouts/{dwr}/cancel': {
    parameters: {};
    /**
     * Cancels a rollout of the workspace's default webhook
     * @description Channels that already got it keep it. A limited credential requires the scope `webhook.manage`. Requires the role of workspace admin.
     */
    post: operations['cancelWorkspaceRollout'];
  };
  '/workspaces/{ws}/default-webhook/rollouts/{dwr}/results': {
    parameters: {};
    /**
     * Lists the channels of a workspace's rollout with their results
     * @description Says for each channel what was done, and why it was skipped or failed. A limited credential requires the scope `webhook.manage`. Requires the role of workspace admin.
     */
    get: operations['listWorkspaceRolloutResults'];
  };
  '/workspaces/{ws}/members': {
    parameters: {};
    /**
     * Lists the members of a workspace, newest first
     * @description Admins of the organization have access without being members. A limited credential requires the scope `workspace.read`.
     */
    get: operations['listWorkspaceMembers'];
  };
  '/workspaces/{ws}/members/{usr}': {
    parameters: {};
    /**
     * Adds an organization member to a workspace or changes their role
     * @description The person must be a member of the organization. A limited credential requires the scope `workspace.manage`. Requires the role of workspace admin.
     */
    put: operations['putWorkspaceMember'];
    /**
     * Removes a person from a workspace
     * @description The person stays in the organization. A limited credential requires the scope `workspace.manage`. Requires the role of workspace admin.
     */
    delete: operations['removeWorkspaceMember'];
  };
  '/workspaces/{ws}/portal-links': {
    parameters: {};
    /**
     * Lists a workspace's portal links of the last week, newest first
     * @description With the number of uses. Their URLs are not shown again. A limited credential requires the scope `credentials.manage`. Requires the role of workspace admin.
     */
    get: operations['listPortalLinks'];
    /**
     * Creates a short-lived link to a page with the channels of one customer
     * @description The page can be embedded in a frame. A limited credential needs the scopes of the rights that it grants. A link ends when its creator could no longer create it: with the key, or with the role of the person. A limited credential requires the scope `credentials.manage`. Requires the role of workspace admin.
     */
    post: operations['createPortalLink'];
  };
  '/workspaces/{ws}/portal-links/{ptl}': {
    parameters: {};
    /**
     * Revokes a portal link
     * @description Its sessions end immediately. A limited credential requires the scope `credentials.manage`. Requires the role of workspace admin.
     */
    delete: operations['revokePortalLink'];
  };
}
export interface components {
  schemas: {
    AccountHealth: {
      /** @description Of a chatapp number. */
      accountStatus:
        ('connected' | 'flagged' | 'restricted' | 'banned' | 'not_registered' | 'offline' | 'unknown') | null;
      /** @description The business account of a chatapp number at the platform. */
      businessAccountId: string | null;
      /** @description The channel. */
      channelId: string;
      /** @description When the platform answered last. All fields are as of then. */
      checkedAt: string | null;
      /** @description Null if the credential does not expire. */
      credentialExpiresAt: string | null;
      /** @description The latest check, if it had no answer. Null otherwise. */
      lastFailure: {
        /** Format: date-time */
        at: string;
        /** @enum {string} */
        code:
          | 'platform_unavailable'
          | 'platform_limited'
          | 'platform_refused'
          | 'credential_refused'
          | 'account_hidden'
          | 'credential_unreadable';
      } | null;
      /** @description The name at the platform, which may differ from `displayName` of the channel. */
      name: string | null;
      /** @description Review of a chatapp number's display name. */
      nameStatus: ('approved' | 'pending' | 'declined' | 'unknown') | null;
      /** @description Null if the platform does not list them. */
      permissions: {
        /** @description In the platform's words. */
        granted: string[];
        /** @description Those that the service asks customers for. */
        missing: string[];
      } | null;
      /** @description A link of the platform, which expires after some days. Each check replaces it. Do not store it: copy the picture or read the link again. */
      pictureUrl: string | null;
      /** @description The rating of a chatapp number. `unknown`: not rated yet. Null for other types. */
      quality: ('high' | 'medium' | 'low' | 'unknown') | null;
      /** @description The most serious first. Empty if the channel is healthy or not checked yet. */
      reasons: {
        /**
         * @description Ignore unknown codes: new ones may be added.
         * @enum {string}
         */
        code:
          | 'disconnected'
          | 'credential_refused'
          | 'account_not_found'
          | 'account_banned'
          | 'account_not_registered'
          | 'account_offline'
          | 'account_restricted'
          | 'not_subscribed'
          | 'quality_low'
          | 'account_flagged'
          | 'quality_medium'
          | 'permissions_missing'
          | 'events_missing'
          | 'name_declined'
          | 'credential_ending'
          | 'check_failed';
        message: string;
        /** @enum {string} */
        severity: 'failing' | 'warning' | 'unknown';
      }[];
      /**
       * @description The most serious reason. `unknown`: not checked yet, or the platform did not answer the last three checks.
       * @enum {string}
       */
      status: 'healthy' | 'warning' | 'failing' | 'unknown';
      /** @description The events that the platform sends. Null if it does not show them. */
      subscription: {
        /** @description Of a Page, in the platform's words. Empty for a number. */
        fields: string[];
        /** @description Those that the platform refuses. */
        missing: string[];
      } | null;
      /** @description How fast a chatapp number may send, such as `standard` or `high`. */
      throughput: string | null;
      /** @description How many people a chatapp number may write to first within 24 hours, such as `250`, `1k` or `unlimited`. */
      tier: string | null;
      /** @description Of a photoapp account or a Page. */
      username: string | null;
    };
    AccountHealthList: {
      channels: components['schemas']['AccountHealth'][];
      /** @description Pass it as `cursor` to get the next page. Null on the last page. */
      nextCursor: string | null;
    };
    Acknowledged: {
      /** @description Number of attempts that this request recorded. Repeated ones, and those of deliveries that had ended, do not count. */
      acknowledged: number;
    };
    AcknowledgedDelivery: {
      /** @description `attempt` of the read. It distinguishes a repeated request from another attempt. */
      attempt?: number;
      /** @description A delivery to this listener. */
      deliveryId: string;
      /** @description Duration of the local request. */
      durationMs?: number;
      /** @description Why there was no response. */
      error?: string | null;
      /** @enum {string} */
      outcome: 'accepted' | 'rejected' | 'no_response';
      /** @description The local response body. The first 16 KiB are stored. */
      responseBody?: string | null;
      /** @description Whether to offer the delivery again, after all others. Requires `attempt`. After 100 attempts the delivery ends anyway. */
      retry?: boolean;
      /** @description HTTP status of the local response. */
      status?: number | null;
    };
    AcknowledgeInput: {
      deliveries: components['schemas']['AcknowledgedDelivery'][];
    };
    AgentClaim: {
      /**
       * Format: date-time
       * @description When the code expires.
       */
      expiresAt: string;
      message: string;
      /** @description Send it back with the code. */
      registrationId: string;
    };
    AgentClaimCompletion: {
      /** @description The six digits from the email. */
      otp: string;
      /** @description The id from the claim. */
      registrationId: string;
    };
    AgentClaimInput: {
      /** @description The address of the person for whom the agent acts. It receives the code. */
      email: string;
      /** @description One of the person's organizations; the oldest one by default. */
      organizationId?: string;
      /** @description The requested scopes. */
      scopes: (
        | 'workspace.read'
        | 'workspace.manage'
        | 'channel.read'
        | 'channel.manage'
        | 'channel.reveal'
        | 'channel.connect'
        | 'webhook.manage'
        | 'messages.read'
        | 'message.send'
        | 'deliveries.read'
        | 'deliveries.replay'
        | 'credentials.manage'
      )[];
    };
    AgentCredential: {
      /** Format: date-time */
      createdAt: string;
      /** @description The agent credential. */
      credentialId: string;
      /** @description The person for whom the agent acts. Null for keys that are limited to scopes or workspaces. */
      email: string | null;
      expiresAt: string | null;
      /** @description Accurate to half a minute. */
      lastUsedAt: string | null;
      /** @description The organization. */
      organizationPublicId: string;
      scopes: (
        | 'workspace.read'
        | 'workspace.manage'
        | 'channel.read'
        | 'channel.manage'
        | 'channel.reveal'
        | 'channel.connect'
        | 'webhook.manage'
        | 'messages.read'
        | 'message.send'
        | 'deliveries.read'
        | 'deliveries.replay'
        | 'credentials.manage'
      )[];
    };
    AgentCredentialList: {
      credentials: components['schemas']['AgentCredential'][];
      /** @description Pass it as `cursor` to get the next page. Null on the last page. */
      nextCursor: string | null;
    };
    AgentToken: {
      /** @description An API key with these scopes. It is shown only once. */
      accessToken: string;
      /** @description The agent credential. */
      credentialId: string;
      expiresAt: string | null;
      /** @description The organization. */
      organizationPublicId: string;
      /** @description The requested scopes that the person's role allows. */
      scopes: (
        | 'workspace.read'
        | 'workspace.manage'
        | 'channel.read'
        | 'channel.manage'
        | 'channel.reveal'
        | 'channel.connect'
        | 'webhook.manage'
        | 'messages.read'
        | 'message.send'
        | 'deliveries.read'
        | 'deliveries.replay'
        | 'credentials.manage'
      )[];
      /** @constant */
      tokenType: 'Bearer';
    };
    Alert: {
      acknowledgedAt: string | null;
      /** @description `usr_…`, `key_…` or `ac_…`. */
      acknowledgedBy: string | null;
      /** @description The alert. */
      alertId: string;
      channelId: string | null;
      /** @description What happened and what you can do. */
      description: string;
      /** @enum {string} */
      kind:
        | 'destination.circuit_open'
        | 'destination.disabled'
        | 'deliveries.notSettling'
        | 'deliveries.exhausted'
        | 'channel.disconnected'
        | 'credential.refused'
        | 'credential.expiring'
        | 'channel.health'
        | 'container.failed'
        | 'container.unknown'
        | 'scheduledMessage.failed'
        | 'scheduledPost.failed'
        | 'defaultWebhook.failed'
        | 'replay.failed';
      /**
       * Format: date-time
       * @description For a lasting cause, accurate to ten minutes.
       */
      lastSeenAt: string;
      /** @description Until then it is left out of emails. */
      mutedUntil: string | null;
      /** @description How often it happened, such as the number of deliveries. */
      occurrences: number;
      /** Format: date-time */
      openedAt: string;
      /** @description The organization. */
      organizationId: string;
      resolvedAt: string | null;
      /** @enum {string} */
      severity: 'warning' | 'critical';
      /** @enum {string} */
      status: 'open' | 'resolved';
      /** @description The thing that needs attention. The latest one if there are several. */
      subject: {
        /** @description Null for a webhook, of which a channel has one. */
        id: string | null;
        label: string;
        /** @enum {string} */
        type: 'webhook' | 'subscription' | 'listener' | 'channel' | 'credential' | 'container' | 'replay';
      };
      title: string;
      /** @description Null if the alert concerns the whole organization. */
      workspaceId: string | null;
    };
    AlertCall: {
      /** @description Critical ones first. */
      alerts: components['schemas']['Alert'][];
      /** @description All alerts of the call. At most 50 are listed. */
      count: number;
      /** Format: date-time */
      createdAt: string;
      /** @description Equal in all attempts, and in the header `webhook-id`. */
      id: string;
      /** @description The organization. */
      organizationId: string;
      /** @enum {string} */
      type: 'alert.opened' | 'alert.resolved' | 'alert.test';
    };
    /** @description Open alerts by severity, at most 1,000 of each. */
    AlertCount: {
      critical: number;
      warning: number;
    };
    AlertList: {
      alerts: components['schemas']['Alert'][];
      /** @description Pass it as `cursor` to get the next page. Null on the last page. */
      nextCursor: string | null;
    };
    AlertPreferences: {
      /** @description You get an email about an alert that fits one of them. None: no emails. */
      rules: components['schemas']['AlertRule'][];
    };
    AlertRule: {
      /** @description Null for all kinds. */
      kinds:
        | (
            | 'destination.circuit_open'
            | 'destination.disabled'
            | 'deliveries.notSettling'
            | 'deliveries.exhausted'
            | 'channel.disconnected'
            | 'credential.refused'
            | 'credential.expiring'
            | 'channel.health'
            | 'container.failed'
            | 'container.unknown'
            | 'scheduledMessage.failed'
            | 'scheduledPost.failed'
            | 'defaultWebhook.failed'
            | 'replay.failed'
          )[]
        | null;
      /** @enum {string} */
      minSeverity: 'warning' | 'critical';
      /** @description Null for all workspaces that you see. */
      workspaceId: string | null;
    };
    AlertWebhook: {
      createdAt: string | null;
      enabled: boolean;
      /** @description Null for all kinds. */
      kinds:
        | (
            | 'destination.circuit_open'
            | 'destination.disabled'
            | 'deliveries.notSettling'
            | 'deliveries.exhausted'
            | 'channel.disconnected'
            | 'credential.refused'
            | 'credential.expiring'
            | 'channel.health'
            | 'container.failed'
            | 'container.unknown'
            | 'scheduledMessage.failed'
            | 'scheduledPost.failed'
            | 'defaultWebhook.failed'
            | 'replay.failed'
          )[]
        | null;
      /** @description The call that was last attempted, also a test. */
      lastDelivery: components['schemas']['AlertWebhookDelivery'] | null;
      /** @enum {string} */
      minSeverity: 'warning' | 'critical';
      /** @description The organization. */
      organizationId: string;
      /** @description Until then, calls also carry the signature of the previous secret. */
      previousSecretExpiresAt: string | null;
      updatedAt: string | null;
      /** @description Null if no alert webhook is set. */
      url: string | null;
    };
    AlertWebhookDelivery: {
      /**
       * Format: date-time
       * @description When it was last attempted.
       */
      at: string;
      attempts: number;
      /** @description The call, which is its `webhook-id`. */
      callId: string;
      /** @description Why there was no response, such as `connect_refused`. */
      error: string | null;
      nextAttemptAt: string | null;
      /**
       * @description `failed`: all attempts failed. `skipped`: ended before another attempt.
       * @enum {string}
       */
      outcome: 'delivered' | 'retrying' | 'failed' | 'skipped';
      /** @description HTTP status of the response; null without a response. */
      status: number | null;
      /** @enum {string} */
      type: 'alert.opened' | 'alert.resolved' | 'alert.test';
    };
    AlertWebhookInput: {
      /** @default true */
      enabled: boolean;
      /**
       * @description Null for all kinds.
       * @default null
       */
      kinds:
        | (
            | 'destination.circuit_open'
            | 'destination.disabled'
            | 'deliveries.notSettling'
            | 'deliveries.exhausted'
            | 'channel.disconnected'
            | 'credential.refused'
            | 'credential.expiring'
            | 'channel.health'
            | 'container.failed'
            | 'container.unknown'
            | 'scheduledMessage.failed'
            | 'scheduledPost.failed'
            | 'defaultWebhook.failed'
            | 'replay.failed'
          )[]
        | null;
      /**
       * @default warning
       * @enum {string}
       */
      minSeverity: 'warning' | 'critical';
      /** Format: uri */
      url: string;
    };
    AlertWebhookSecretRotationInput: {
      /**
       * @description How long calls also carry the signature of the previous secret. 0 revokes it immediately.
       * @default 0
       */
      overlapSeconds: number;
    };
    AlertWebhookTest: {
      delivery: components['schemas']['AlertWebhookDelivery'];
    };
    ApiKey: {
      agentCredentialId: string | null;
      /** @description Null for any address. */
      allowedCidrs: string[] | null;
      /** Format: date-time */
      createdAt: string;
      /** @description Null if the key is valid until it is revoked. */
      expiresAt: string | null;
      /** @description The key. */
      keyId: string;
      /** @description The first 14 characters. */
      keyPrefix: string;
      /** @description The last 4 characters. */
      keySuffix: string;
      /** @description Accurate to half a minute. */
      lastUsedAt: string | null;
      name: string;
      /** @description Null if not limited to scopes. */
      scopes:
        | (
            | 'workspace.read'
            | 'workspace.manage'
            | 'channel.read'
            | 'channel.manage'
            | 'channel.reveal'
            | 'channel.connect'
            | 'webhook.manage'
            | 'messages.read'
            | 'message.send'
            | 'deliveries.read'
            | 'deliveries.replay'
            | 'credentials.manage'
          )[]
        | null;
      /** @description Null for the whole organization. Omits deleted workspaces. */
      workspaceIds: string[] | null;
    };
    ApiKeyInput: {
      /** @description The only addresses that can use the key. Omit for any address. */
      allowedCidrs?: string[];
      /**
       * Format: date-time
       * @description Must be in the future.
       */
      expiresAt?: string;
      name: string;
      /** @description What the key can do. Omit for full access. */
      scopes?: (
        | 'workspace.read'
        | 'workspace.manage'
        | 'channel.read'
        | 'channel.manage'
        | 'channel.reveal'
        | 'channel.connect'
        | 'webhook.manage'
        | 'messages.read'
        | 'message.send'
        | 'deliveries.read'
        | 'deliveries.replay'
        | 'credentials.manage'
      )[];
      /** @description The only workspaces that the key can reach. Omit for the whole organization. */
      workspaceIds?: string[];
    };
    ApiKeyList: {
      keys: components['schemas']['ApiKey'][];
      /** @description Pass it as `cursor` to get the next page. Null on the last page. */
      nextCursor: string | null;
    };
    ApiKeyPatch: {
      /** @description Null allows any address. */
      allowedCidrs?: string[] | null;
      /** @description In the future, or null for no end. */
      expiresAt?: string | null;
      name?: string;
      /** @description Some of the present ones. */
      scopes?: (
        | 'workspace.read'
        | 'workspace.manage'
        | 'channel.read'
        | 'channel.manage'
        | 'channel.reveal'
        | 'channel.connect'
        | 'webhook.manage'
        | 'messages.read'
        | 'message.send'
        | 'deliveries.read'
        | 'deliveries.replay'
        | 'credentials.manage'
      )[];
      /** @description Some of the present ones. */
      workspaceIds?: string[];
    };
    AuditEntry: {
      /** @description The action, such as `channel.moved`. */
      action: string;
      actor: {
        /** @description `usr_…`, `key_…`, `ac_…`, `ptl_…`, or the name of a process. */
        id: string;
        /**
         * @description The email address of a person or of staff, the name of a key or an agent; null if it is not known.
         * @example ops@example.com
         */
        name: string | null;
        /** @enum {string} */
        type: 'user' | 'api_key' | 'agent' | 'staff' | 'portal' | 'system';
      };
      /** Format: date-time */
      at: string;
      /** @description The caller's own x-request-id. Null if none was sent, and for actions that finish after the response. */
      callerRequestId: string | null;
      clientAddress: string | null;
      reason: string | null;
      /** @description The service's id of the request, as in its logs. */
      requestId: string | null;
      /** @description The affected resource. */
      targetId: string | null;
      workspaceId: string | null;
    };
    AuditEntryList: {
      entries: components['schemas']['AuditEntry'][];
      /** @description Pass it as `cursor` to get the next page. Null on the last page. */
      nextCursor: string | null;
    };
    Branding: {
      color: string | null;
      displayName: string | null;
      logoUrl: string | null;
      /** @description Origins such as `https://app.example.com` whose pages may show the portal in a frame. */
      portalFrameAncestors: string[];
      /** @description The color of text on `color`, chosen for contrast. Null without `color`. */
      textColor: ('#000000' | '#ffffff') | null;
    };
    BrandingInput: {
      /** @description The color of headers and buttons of the portal, `#rrggbb`. */
      color?: string | null;
      /** @description The name on pages for customers. Null for the name of the organization. */
      displayName?: string | null;
      /** @description An https image on pages for customers. */
      logoUrl?: string | null;
      /** @description Origins such as `https://app.example.com` whose pages may show the portal in a frame. */
      portalFrameAncestors?: string[];
    };
    Channel: {
      /** @description The business account of a chatapp number, which is the id of its webhook entries. Null for other channels, and until it is known. */
      businessAccountId: string | null;
      /** @description False once a user has disconnected the channel. A connected channel receives events, even if its credential is refused. */
      connected: boolean;
      connectionType: string;
      /** Format: date-time */
      createdAt: string;
      /** @description The channel's credential at the platform. */
      credentialId: string;
      /** @description Since when the platform refuses calls with the credential, for example because the owner changed a password. Sends return CREDENTIAL_REFUSED until the account is connected again or a health check succeeds. Events are still received and delivered. Null while the platform takes it. */
      credentialRefusedAt: string | null;
      /** @description Why, and what to do. */
      credentialRefusedReason: string | null;
      /** @description The state of the destination that needs attention most: the webhook or a subscription. Null without any. */
      delivery: components['schemas']['ChannelDelivery'] | null;
      /** @description Why the service disconnected the channel, which only releases up to 0.2 did. Null if it is connected or was disconnected by request. */
      disconnectedReason: string | null;
      displayName: string;
      /** @description Whether events are delivered to the destinations. */
      forwardingEnabled: boolean;
      /** @description The channel. */
      id: string;
      linkedChannelId: string | null;
      /** @description The phone number id, account id or Page id at the platform. */
      metaResourceId: string;
      onboardingLinkId: string | null;
      /** @description Null except for chatapp channels. */
      phoneNumberId: string | null;
      /** @enum {string} */
      type: 'chatapp' | 'photoapp' | 'pageapp';
      /** Format: date-time */
      updatedAt: string;
      /** @description Null without a webhook, and in a portal. */
      webhookUrl: string | null;
      /** @description The workspace that holds the channel. */
      workspaceId: string;
    };
    ChannelDelivery: {
      /** @description `webhook`, or the id of a subscription. */
      destination: string;
      /** @description Why the destination is disabled or its circuit is open. Otherwise null. */
      reason: ('gone' | 'failing' | 'by_hand' | 'failures' | 'retry_after') | null;
      /** @description When the state began: the opening of the circuit, the first failure after the last success, or the first answer that was not recorded. Null if it is not known. */
      since: string | null;
      /**
       * @description `ok`: nothing failed since the last success. `failing`: the last attempts failed. `circuit_open`: deliveries wait until a probe succeeds. `disabled`: events are skipped. `not_settling`: the service cannot record what the receiver answered, and may send it again.
       * @enum {string}
       */
      state: 'ok' | 'failing' | 'circuit_open' | 'disabled' | 'not_settling';
    };
    ChannelDestinationChange: {
      /** @description The header `Authorization` of every delivery. Never returned. */
      authentication?:
        | {
            /** @constant */
            type: 'none';
          }
        | {
            password: string;
            /** @constant */
            type: 'basic';
            username: string & (unknown & unknown);
          }
        | {
            token: string;
            /** @constant */
            type: 'bearer';
          };
      /** @description Gathers the events of a conversation into one array; null sends each alone. */
      debounce?: {
        maxEvents?: number;
        /** @description From the first waiting event. */
        seconds: number;
      } | null;
      /** @description `webhook`, or the id of a subscription. */
      destination: string;
      /** @description Headers that every delivery carries; null removes one, others stay. Names have letters, digits and hyphens. At most 20 with 4096 bytes in all. Never returned. */
      headers?: {
        [key: string]: string | null;
      };
      /**
       * @description `conversation`: a failing delivery holds back later ones of its conversation. `none`: deliveries do not wait for each other.
       * @enum {string}
       */
      ordering?: 'conversation' | 'none';
      /** @description Further deliveries wait. An omitted limit stays, and null removes one. */
      rate?: {
        /** @description Requests at the same time. */
        concurrency?: number | null;
        /** @description Requests that begin in any second. */
        requestsPerSecond?: number | null;
      };
      /** @description `fast`: eight in 19 minutes. `patient`: twelve in five days. */
      retrySchedule?:
        | ('default' | 'fast' | 'patient')
        | {
            /** @description Seconds before each retry. */
            steps: number[];
          };
      /** @description Whether deliveries of sampled events carry `traceparent`. */
      sendsTraceParent?: boolean;
      /** @description Until the end of the response; null for the default. */
      timeoutSeconds?: number | null;
    };
    ChannelDestinations: {
      /** @description All destinations without pages: the webhook, up to 20 subscriptions, up to 20 listeners, and the latest 50 kept URLs. */
      destinations: components['schemas']['DestinationHealth'][];
    };
    ChannelEnv: {
      /** @description The business account of a chatapp number. Clients add it as CHATAPP_BUSINESS_ACCOUNT_ID. Null if it is not known. */
      businessAccountId: string | null;
      /** @enum {string} */
      channelType: 'chatapp' | 'photoapp' | 'pageapp';
      /** @description Environment variables by name. */
      values:
        | {
            CHATAPP_ACCESS_TOKEN: string;
            CHATAPP_RESOURCE_ID: string;
            /** Format: uri */
            PLATFORM_GRAPH_API_URL: string;
            /** @description The channel. */
            SERVICE_CHANNEL_ID: string;
            /** @description The workspace that holds the channel. */
            SERVICE_WORKSPACE_ID: string;
            /** @description The verify token, which a receiver needs to pass the probes. */
            VERIFY_TOKEN: string;
            /** @description Signs deliveries. */
            WEBHOOK_HMAC_SECRET: string;
          }
        | {
            PHOTOAPP_ACCESS_TOKEN: string;
            PHOTOAPP_RESOURCE_ID: string;
            /** Format: uri */
            PLATFORM_GRAPH_API_URL: string;
            /** @description The channel. */
            SERVICE_CHANNEL_ID: string;
            /** @description The workspace that holds the channel. */
            SERVICE_WORKSPACE_ID: string;
            /** @description The verify token, which a receiver needs to pass the probes. */
            VERIFY_TOKEN: string;
            /** @description Signs deliveries. */
            WEBHOOK_HMAC_SECRET: string;
          }
        | {
            PAGEAPP_ACCESS_TOKEN: string;
            PAGEAPP_RESOURCE_ID: string;
            /** Format: uri */
            PLATFORM_GRAPH_API_URL: string;
            /** @description The channel. */
            SERVICE_CHANNEL_ID: string;
            /** @description The workspace that holds the channel. */
            SERVICE_WORKSPACE_ID: string;
            /** @description The verify token, which a receiver needs to pass the probes. */
            VERIFY_TOKEN: string;
            /** @description Signs deliveries. */
            WEBHOOK_HMAC_SECRET: string;
          };
    };
    /** @enum {string} */
    ChannelEventType:
      'chatapp.message.received' | 'chatapp.message.status' | 'photoapp.message.received' | 'photoapp.comment.received';
    ChannelHealth: {
      /** @description The channel. */
      channelId: string;
      connected: boolean;
      /** @description Since when the platform refuses calls. Events arrive nevertheless. */
      credentialRefusedAt: string | null;
      destinations: components['schemas']['DestinationHealth'][];
      displayName: string;
      forwardingEnabled: boolean;
      /** @description Age of the oldest waiting delivery, without those of listeners. */
      oldestWaitingSeconds: number | null;
      /** @description The organization. */
      organizationId: string;
      organizationName: string;
      resourceId: string;
      /** @description The channel's workflows in the Temporal UI: the running ones, and all. */
      temporalUrls: {
        all: string;
        troubled: string;
      } | null;
      /** @enum {string} */
      type: 'chatapp' | 'photoapp' | 'pageapp';
      /** @description Waiting deliveries by status. The count stops at 10,000 per destination. */
      waiting: {
        pending: number;
        retrying: number;
      };
      /** @description The workspace of the channel. */
      workspaceId: string;
    };
    ChannelList: {
      channels: components['schemas']['Channel'][];
      /** @description Pass it as `cursor` to get the next page. Null on the last page. */
      nextCursor: string | null;
    };
    ChannelMoveInput: {
      /** @description The target workspace, in the same organization. */
      workspaceId: string;
    };
    ChannelStatistics: {
      bucketSeconds: number;
      destinations: {
        /** @description All buckets of the time range, oldest first. A bucket without deliveries has zeros. */
        buckets: components['schemas']['StatisticsBucket'][];
        /** @description Whether the destination was deleted since. */
        isDeleted: boolean;
        label: string | null;
        subscriptionId: string | null;
        /** @enum {string} */
        type: 'webhook' | 'subscription' | 'listener';
        /** @description Null for a listener, and for the webhook in a portal. */
        url: string | null;
      }[];
      /** @description False if the range has more deliveries than can be counted, or more than 60 destinations. The newest are counted. */
      isComplete: boolean;
      /** Format: date-time */
      since: string;
      /** Format: date-time */
      until: string;
    };
    ChannelToken: {
      /**
       * Format: uri
       * @description The gateway's URL with the platform's API version for this channel type.
       */
      baseUrl: string;
      /** @description The end of the key that holds the token. Null if the token is valid until it is rotated. */
      expiresAt: string | null;
      /** @description The scopes of the own token of an agent or a limited key. Null for the token that people and full keys share. */
      scopes: ('channel.read' | 'channel.manage' | 'messages.read' | 'message.send')[] | null;
      /** @description Gives access to this channel at the gateway, and to nothing else. */
      token: string;
      /** @description The first 14 characters. */
      tokenPrefix: string;
      /** @description The last 4 characters. */
      tokenSuffix: string;
    };
    ChatappMediaUploaded: {
      /** @description The channel. */
      channelId: string;
      /** @description Use it in messages. The platform keeps the file for about 30 days. */
      mediaId: string;
    };
    ChatappNumberRegistered: {
      /** @description The channel. */
      channelId: string;
      /** @constant */
      registered: true;
    };
    ChatappTemplate: {
      category: string | null;
      /** @description In the platform's format. */
      components: {
        [key: string]: unknown;
      }[];
      id: string;
      language: string | null;
      name: string;
      status: string | null;
    };
    ChatappTemplateList: {
      /** @description Pass it as `cursor` to get the next page. Null on the last page. */
      nextCursor: string | null;
      templates: components['schemas']['ChatappTemplate'][];
    };
    CircuitAhead: {
      /**
       * Format: date-time
       * @description When one delivery is attempted. The others follow once the receiver accepts one.
       */
      nextProbeAt: string;
      /** Format: date-time */
      openedAt: string;
      /**
       * @description `failures`: the receiver failed repeatedly. `retry_after`: it requested a pause.
       * @enum {string}
       */
      reason: 'failures' | 'retry_after';
    };
    CommentModeration: {
      /** @enum {string} */
      action: 'hide' | 'unhide' | 'delete';
      /** @description The channel. */
      channelId: string;
      commentId: string;
      ok: boolean;
    };
    CommentModerationInput: {
      /** @enum {string} */
      action: 'hide' | 'unhide' | 'delete';
    };
    CommentReply: {
      /** @description The channel. */
      channelId: string;
      commentId: string;
      /** @description Id of a private reply. */
      messageId: string | null;
      private: boolean;
      /** @description Id of a public reply. */
      replyId: string | null;
    };
    Conversation: {
      id: string;
      /** @description Newest first. Null in a list of conversations. */
      messages: components['schemas']['ConversationMessage'][] | null;
      participantId: string | null;
      participantName: string | null;
      snippet: string | null;
      unreadCount: number | null;
      updatedAt: string | null;
    };
    ConversationList: {
      conversations: components['schemas']['Conversation'][];
      /** @description Pass it as `cursor` to get the next page. Null on the last page. */
      nextCursor: string | null;
    };
    ConversationMessage: {
      createdAt: string | null;
      fromId: string | null;
      fromName: string | null;
      id: string;
      text: string | null;
    };
    CreatedApiKey: {
      /** @description Null for any address. */
      allowedCidrs: string[] | null;
      /** @description The key, `hmok_…`. */
      apiKey: string;
      /** Format: date-time */
      createdAt: string;
      /** @description Null if the key is valid until it is revoked. */
      expiresAt: string | null;
      /** @description The key. */
      keyId: string;
      name: string;
      /** @description The organization of the key. */
      organizationPublicId: string;
      /** @description Null if not limited to scopes. */
      scopes:
        | (
            | 'workspace.read'
            | 'workspace.manage'
            | 'channel.read'
            | 'channel.manage'
            | 'channel.reveal'
            | 'channel.connect'
            | 'webhook.manage'
            | 'messages.read'
            | 'message.send'
            | 'deliveries.read'
            | 'deliveries.replay'
            | 'credentials.manage'
          )[]
        | null;
      /** @description Null for the whole organization. Omits deleted workspaces. */
      workspaceIds: string[] | null;
    };
    CreatedPortalLink: {
      /** @description Null for all channels of the workspace. */
      channelIds: string[] | null;
      /** Format: date-time */
      createdAt: string;
      /** Format: date-time */
      expiresAt: string;
      lastUsedAt: string | null;
      name: string | null;
      /** @description The portal link. */
      portalLinkId: string;
      rights: (
        | 'channels.read'
        | 'deliveries.read'
        | 'deliveries.retry'
        | 'subscriptions.read'
        | 'subscriptions.manage'
        | 'replays.read'
        | 'replays.manage'
      )[];
      /** @enum {string} */
      status: 'active' | 'expired' | 'revoked';
      /**
       * Format: uri
       * @description What the customer opens. It contains the secret and is shown only here.
       */
      url: string;
      /** @description How often the link was opened. */
      useCount: number;
    };
    CurrentSession: {
      credential: {
        /** @description `key_…`, `ac_…`, or for a session `usr_…`. */
        id: string;
        /**
         * @description A person's session, an API key, or an agent's key.
         * @enum {string}
         */
        kind: 'user' | 'api_key' | 'agent';
        /** @description Null if not limited to scopes. */
        scopes:
          | (
              | 'workspace.read'
              | 'workspace.manage'
              | 'channel.read'
              | 'channel.manage'
              | 'channel.reveal'
              | 'channel.connect'
              | 'webhook.manage'
              | 'messages.read'
              | 'message.send'
              | 'deliveries.read'
              | 'deliveries.replay'
              | 'credentials.manage'
            )[]
          | null;
        /** @description Null if not limited to workspaces. */
        workspaceIds: string[] | null;
      };
      organizations: {
        name: string;
        /** @description An organization of the caller. */
        organizationId: string;
        /** @enum {string} */
        role: 'admin' | 'member';
      }[];
      user: {
        /** @description Null for API keys that are limited to scopes or workspaces. */
        email: string | null;
        /** @description The person. */
        id: string;
      };
    };
    DefaultWebhook: {
      /** @description The organization's default, which a workspace without its own uses. Null for an organization. */
      inheritedWebhookUrl: string | null;
      /** @description What the probes of the last finished save found, also if it was refused. */
      lastVerification: components['schemas']['WebhookVerification'] | null;
      /** @description The organization. */
      organizationId: string;
      /** @description When both probes passed. */
      verifiedAt: string | null;
      /** @description Null if no default is set. */
      webhookUrl: string | null;
      /** @description Null for the organization's default. */
      workspaceId: string | null;
    };
    DefaultWebhookInput: {
      /** @description Used by the ownership probes of the default and of each channel that gets it. Never shown again. */
      verifyToken: string & (unknown & unknown);
      /** Format: uri */
      webhookUrl: string;
    };
    Delivery: {
      /** @description How many attempts were made. */
      attemptCount: number;
      /** @description The latest 100, oldest first. */
      attempts: components['schemas']['DeliveryAttempt'][];
      /** @description Why and by whom it was cancelled. Null unless it is, and if that was before this was recorded. */
      cancellation: components['schemas']['DeliveryCancellation'] | null;
      /** @description The channel of the event. */
      channelId: string;
      /** @description The display name of the channel. */
      channelName: string;
      /**
       * Format: date-time
       * @description When the delivery was created: with its event, or later for a replay. Lists are ordered by it.
       */
      createdAt: string;
      /** @description The delivery of one event to one destination. */
      deliveryId: string;
      /** @description Null if the channel had none. */
      destination: components['schemas']['DeliveryDestination'] | null;
      /** @description When the body, the sender and the responses were erased; null if they were not. */
      erasedAt: string | null;
      /** @description The event. */
      eventId: string;
      /** @enum {string} */
      eventType:
        | 'chatapp.message.received'
        | 'chatapp.message.status'
        | 'photoapp.message.received'
        | 'photoapp.comment.received'
        | 'pageapp.message.received'
        | 'pageapp.message.reaction'
        | 'pageapp.message.read'
        | 'pageapp.message.delivered'
        | 'pageapp.postback.received'
        | 'pageapp.comment.received'
        | 'pageapp.post.changed'
        | 'chatapp.other.received'
        | 'photoapp.other.received'
        | 'pageapp.other.received';
      /** @description The earliest time of the next attempt: by the retry schedule, or by the next probe of an open circuit if that is later. */
      nextAttemptAt: string | null;
      /** @description The stored body, which is signed and sent, as UTF-8. */
      payload: string;
      platformMessageId: string | null;
      /**
       * Format: date-time
       * @description When the event was received.
       */
      receivedAt: string;
      /** @description Null if no bulk replay created it. A delivery that was replayed individually has only `replayOf`. */
      replayId: string | null;
      /** @description Null unless it is a replay. */
      replayOf: string | null;
      sender: string | null;
      skipReason: ('forwarding_disabled' | 'no_destination' | 'destination_disabled') | null;
      /** @enum {string} */
      status: 'pending' | 'retrying' | 'delivered' | 'exhausted' | 'cancelled' | 'skipped';
      /** @description The trace of the event, to quote to support; null if the event is not sampled. */
      traceId: string | null;
      /** @description The open circuit of the destination that holds the delivery back, or null. */
      waitsForCircuit: components['schemas']['CircuitAhead'] | null;
      /** @description The workflow that retries the delivery; null before its third failure. */
      workflowId: string | null;
    };
    DeliveryAttempt: {
      /** @description What the request carried, if the destination was debounced; null otherwise. */
      batch: {
        /** @description The deliveries of the array, in order. */
        deliveryIds: string[];
        /** @description The header `webhook-id` of the request. */
        id: string;
      } | null;
      durationMs: number;
      /** @description Why there was no response. Beside a status: what cut the response off within its body, such as `reset` or `timeout`; the outcome follows from the status alone. Null otherwise. Values may be added. */
      error: string | null;
      number: number;
      /** @enum {string} */
      outcome: 'accepted' | 'rejected' | 'no_response' | 'blocked';
      /** @description The first 16 KiB of the response, as UTF-8. */
      responseBody: string | null;
      /** @description Without the values of cookies, credentials and the like, which are `[redacted]`. Of `location`, only the origin. */
      responseHeaders: {
        [key: string]: string | string[];
      };
      /** Format: date-time */
      startedAt: string;
      /** @description HTTP status of the response; null without a response. */
      status: number | null;
      /** @description The URL that the attempt was sent to, even if the destination has another one now. Null if nothing was sent or the event is erased, for attempts before this was recorded, for a listener, and for the webhook in a portal. */
      url: string | null;
    };
    DeliveryCancel: {
      /** @description The delivery. */
      deliveryId: string;
      /** @constant */
      status: 'cancelled';
    };
    /**
     * @example {
     *       "reason": "requested",
     *       "at": "2026-01-31T08:05:00.000Z",
     *       "by": {
     *         "type": "user",
     *         "id": "usr_4Fz0aB1c",
     *         "name": "ada@example.com"
     *       }
     *     }
     */
    DeliveryCancellation: {
      /** Format: date-time */
      at: string;
      /** @description Whose request it was. Null if the service itself did it, and in a portal for others. */
      by: {
        /** @description `usr_…`, `key_…`, `ac_…`, `ptl_…`, or the name of a process. */
        id: string;
        /** @description The e-mail address of the person, or the name of the key or link. Null in lists, for staff, and for limited keys and portals. */
        name: string | null;
        /** @enum {string} */
        type: 'user' | 'api_key' | 'agent' | 'staff' | 'portal' | 'system';
      } | null;
      /**
       * @description `requested`: this delivery was cancelled. `channel_disconnected`, `destination_deleted`: its channel or its destination was removed. `url_changed`: an edit of the URL cancelled its pending deliveries. `channel_moved`: the listener may not read deliveries of the previous workspace. `event_erased`: the data of its person was erased.
       * @enum {string}
       */
      reason:
        'requested' | 'channel_disconnected' | 'channel_moved' | 'destination_deleted' | 'url_changed' | 'event_erased';
    };
    DeliveryDestination: {
      label: string | null;
      listenerId: string | null;
      subscriptionId: string | null;
      /** @enum {string} */
      type: 'webhook' | 'subscription' | 'listener';
      /** @description The URL that the destination has now; each attempt has the one it was sent to. Null for a listener, and for the webhook in a portal. */
      url: string | null;
    };
    DeliveryHistogram: {
      bucketMs: number;
      /** @description All of the span, in order, also those without deliveries. */
      buckets: {
        /**
         * Format: date-time
         * @description Begin of the bucket.
         */
        at: string;
        delivered: number;
        /** @description Exhausted. */
        failed: number;
        /** @description Cancelled or skipped. */
        notSent: number;
        /** @description Pending or retrying. */
        waiting: number;
      }[];
      /** @description False if only the newest 50,000 deliveries were counted. */
      isComplete: boolean;
      /** Format: date-time */
      since: string;
      /** Format: date-time */
      until: string;
    };
    DeliveryList: {
      deliveries: components['schemas']['DeliveryListItem'][];
      /** @description Pass it as `cursor` to get the next page. Null on the last page. */
      nextCursor: string | null;
      /** @description Only with the parameter `search`. */
      search?: components['schemas']['DeliverySearchReport'];
    };
    DeliveryListItem: {
      /** @description How many attempts were made. */
      attemptCount: number;
      /** @description Why and by whom it was cancelled. Null unless it is, and if that was before this was recorded. */
      cancellation: components['schemas']['DeliveryCancellation'] | null;
      /** @description The channel of the event. */
      channelId: string;
      /** @description The display name of the channel. */
      channelName: string;
      /**
       * Format: date-time
       * @description When the delivery was created: with its event, or later for a replay. Lists are ordered by it.
       */
      createdAt: string;
      /** @description The delivery of one event to one destination. */
      deliveryId: string;
      /** @description Null if the channel had none. */
      destination: components['schemas']['DeliveryDestination'] | null;
      /** @description When the body, the sender and the responses were erased; null if they were not. */
      erasedAt: string | null;
      /** @description The event. */
      eventId: string;
      /** @enum {string} */
      eventType:
        | 'chatapp.message.received'
        | 'chatapp.message.status'
        | 'photoapp.message.received'
        | 'photoapp.comment.received'
        | 'pageapp.message.received'
        | 'pageapp.message.reaction'
        | 'pageapp.message.read'
        | 'pageapp.message.delivered'
        | 'pageapp.postback.received'
        | 'pageapp.comment.received'
        | 'pageapp.post.changed'
        | 'chatapp.other.received'
        | 'photoapp.other.received'
        | 'pageapp.other.received';
      /** @description With `include=lastAttempt`. Null before the first attempt. */
      lastAttempt?: components['schemas']['LastAttempt'] | null;
      /** @description The earliest time of the next attempt: by the retry schedule, or by the next probe of an open circuit if that is later. */
      nextAttemptAt: string | null;
      platformMessageId: string | null;
      /**
       * @description With `include=preview`: the text of the message, shortened, or its kind in brackets. Null if it is erased, unreadable, has neither, or is larger than 64 KiB.
       * @example Is my order on its way?
       */
      preview?: string | null;
      /**
       * Format: date-time
       * @description When the event was received.
       */
      receivedAt: string;
      /** @description Null if no bulk replay created it. A delivery that was replayed individually has only `replayOf`. */
      replayId: string | null;
      /** @description Null unless it is a replay. */
      replayOf: string | null;
      sender: string | null;
      skipReason: ('forwarding_disabled' | 'no_destination' | 'destination_disabled') | null;
      /** @enum {string} */
      status: 'pending' | 'retrying' | 'delivered' | 'exhausted' | 'cancelled' | 'skipped';
      /** @description The trace of the event, to quote to support; null if the event is not sampled. */
      traceId: string | null;
      /** @description The open circuit of the destination that holds the delivery back, or null. */
      waitsForCircuit: components['schemas']['CircuitAhead'] | null;
      /** @description The workflow that retries the delivery; null before its third failure. */
      workflowId: string | null;
    };
    DeliveryReplayInput: {
      /** @description `webhook`, or the id of a subscription or a listener; the delivery's destination by default. */
      destination?: string;
    };
    DeliveryRetry: {
      /** @description The delivery. */
      deliveryId: string;
      /** @enum {string} */
      status: 'pending' | 'retrying';
    };
    /**
     * @example {
     *       "by": "scan",
     *       "scannedCount": 2000,
     *       "scannedBackTo": "2026-01-30T21:12:00.000Z",
     *       "isComplete": false
     *     }
     */
    DeliverySearchReport: {
      /**
       * @description What `search` was taken for. `scan`: the deliveries were compared one by one.
       * @enum {string}
       */
      by: 'id' | 'platform_id' | 'scan';
      /** @description False if older deliveries were not compared. See `nextCursor`. */
      isComplete: boolean;
      /** @description When the last one that was compared was created. */
      scannedBackTo: string | null;
      /** @description How many deliveries this page compared. 0 unless it is a scan. */
      scannedCount: number;
    };
    DeliverySummary: {
      /** @description How many attempts were made. */
      attemptCount: number;
      /** @description Why and by whom it was cancelled. Null unless it is, and if that was before this was recorded. */
      cancellation: components['schemas']['DeliveryCancellation'] | null;
      /** @description The channel of the event. */
      channelId: string;
      /** @description The display name of the channel. */
      channelName: string;
      /**
       * Format: date-time
       * @description When the delivery was created: with its event, or later for a replay. Lists are ordered by it.
       */
      createdAt: string;
      /** @description The delivery of one event to one destination. */
      deliveryId: string;
      /** @description Null if the channel had none. */
      destination: components['schemas']['DeliveryDestination'] | null;
      /** @description When the body, the sender and the responses were erased; null if they were not. */
      erasedAt: string | null;
      /** @description The event. */
      eventId: string;
      /** @enum {string} */
      eventType:
        | 'chatapp.message.received'
        | 'chatapp.message.status'
        | 'photoapp.message.received'
        | 'photoapp.comment.received'
        | 'pageapp.message.received'
        | 'pageapp.message.reaction'
        | 'pageapp.message.read'
        | 'pageapp.message.delivered'
        | 'pageapp.postback.received'
        | 'pageapp.comment.received'
        | 'pageapp.post.changed'
        | 'chatapp.other.received'
        | 'photoapp.other.received'
        | 'pageapp.other.received';
      /** @description The earliest time of the next attempt: by the retry schedule, or by the next probe of an open circuit if that is later. */
      nextAttemptAt: string | null;
      platformMessageId: string | null;
      /**
       * Format: date-time
       * @description When the event was received.
       */
      receivedAt: string;
      /** @description Null if no bulk replay created it. A delivery that was replayed individually has only `replayOf`. */
      replayId: string | null;
      /** @description Null unless it is a replay. */
      replayOf: string | null;
      sender: string | null;
      skipReason: ('forwarding_disabled' | 'no_destination' | 'destination_disabled') | null;
      /** @enum {string} */
      status: 'pending' | 'retrying' | 'delivered' | 'exhausted' | 'cancelled' | 'skipped';
      /** @description The trace of the event, to quote to support; null if the event is not sampled. */
      traceId: string | null;
      /** @description The open circuit of the destination that holds the delivery back, or null. */
      waitsForCircuit: components['schemas']['CircuitAhead'] | null;
      /** @description The workflow that retries the delivery; null before its third failure. */
      workflowId: string | null;
    };
    DestinationHealth: {
      /** @description How deliveries authenticate. Secrets are never returned. */
      authentication: {
        /** @enum {string} */
        type: 'none' | 'basic' | 'bearer';
        /** @description Of `basic`; otherwise null. */
        username: string | null;
      };
      circuit: {
        nextProbeAt: string | null;
        openedAt: string | null;
        reason: ('failures' | 'retry_after') | null;
        /** @enum {string} */
        state: 'closed' | 'open';
        /** @description The URL in the Temporal UI; null if no UI is configured. */
        temporalUrl: string | null;
      };
      consecutiveFailures: number;
      /** @description How the events of a conversation are gathered into one request; null if each is sent alone. */
      debounce: {
        /** @description Events after which the request begins earlier. */
        maxEvents: number;
        /** @description From the first waiting event. */
        seconds: number;
      } | null;
      /** @description Why nothing is sent: the receiver answered 410 twice (`gone`), it failed for days without any success (`failing`), or a person disabled it (`by_hand`). Null if it is enabled. */
      disabledReason: ('gone' | 'failing' | 'by_hand') | null;
      enabled: boolean;
      /** @description The first failure after the last success. */
      failingSince: string | null;
      /** @description Names of the static headers. Values are never returned. */
      headers: string[];
      /** @description Whether it is a previous URL, kept for deliveries that were waiting when the URL changed. */
      isKept: boolean;
      label: string | null;
      lastDeliveredAt: string | null;
      lastFailureAt: string | null;
      listenerId: string | null;
      /** @description Since when the service cannot record what the receiver answered. Null if it can. */
      notSettlingSince: string | null;
      oldestWaitingAt: string | null;
      /**
       * @description `conversation`: in order within each conversation. `none`: without any order.
       * @enum {string}
       */
      ordering: 'conversation' | 'none';
      rate: {
        /** @description Requests at the same time. */
        concurrency: number | null;
        /** @description Requests that begin in any second. */
        requestsPerSecond: number | null;
      };
      /** @description `default`: the schedule of the installation. `fast`: eight retries in 19 minutes. `patient`: twelve in five days. Or own steps, in seconds. */
      retrySchedule:
        | ('default' | 'fast' | 'patient')
        | {
            steps: number[];
          };
      /** @description Whether deliveries of sampled events carry the header `traceparent` (W3C Trace Context). */
      sendsTraceParent: boolean;
      subscriptionId: string | null;
      /** @description Null for the default of the installation. */
      timeoutSeconds: number | null;
      /** @enum {string} */
      type: 'webhook' | 'subscription' | 'listener';
      /** @description Null for a listener, and for the webhook in a portal. */
      url: string | null;
      /** @description Waiting deliveries by status. The count stops at 10,000 per destination. */
      waiting: {
        pending: number;
        retrying: number;
      };
    };
    DestinationTest: {
      attempt: components['schemas']['DeliveryAttempt'];
      /** @description The channel. */
      channelId: string;
      /** @description The id in the headers. `GET /channels/{ch}/test-events/{wd}` returns the record. */
      deliveryId: string;
      /** @description The id in the header. */
      eventId: string;
      /** @enum {string} */
      eventType:
        | 'chatapp.message.received'
        | 'chatapp.message.status'
        | 'photoapp.message.received'
        | 'photoapp.comment.received'
        | 'pageapp.message.received'
        | 'pageapp.message.reaction'
        | 'pageapp.message.read'
        | 'pageapp.message.delivered'
        | 'pageapp.postback.received'
        | 'pageapp.comment.received'
        | 'pageapp.post.changed'
        | 'chatapp.other.received'
        | 'photoapp.other.received'
        | 'pageapp.other.received';
      /** @description The sample event. Its ids begin with `test`. */
      payload: string;
      subscriptionId: string | null;
      /** Format: uri */
      url: string;
    };
    DestinationTestInput: {
      /**
       * @description Any type of the channel. By default a message, or the subscription's first type. A subscription is tested with types that it does not select, too.
       * @enum {string}
       */
      eventType?:
        | 'chatapp.message.received'
        | 'chatapp.message.status'
        | 'photoapp.message.received'
        | 'photoapp.comment.received'
        | 'pageapp.message.received'
        | 'pageapp.message.reaction'
        | 'pageapp.message.read'
        | 'pageapp.message.delivered'
        | 'pageapp.postback.received'
        | 'pageapp.comment.received'
        | 'pageapp.post.changed'
        | 'chatapp.other.received'
        | 'photoapp.other.received'
        | 'pageapp.other.received';
    };
    EligibleScopes: {
      /** @description Pass it as `cursor` to get the next page. Null on the last page. */
      nextCursor: string | null;
      organizations: {
        /** @description The organization. */
        organizationPublicId: string;
        /** @enum {string} */
        role: 'admin' | 'member';
        scopes: (
          | 'workspace.read'
          | 'workspace.manage'
          | 'channel.read'
          | 'channel.manage'
          | 'channel.reveal'
          | 'channel.connect'
          | 'webhook.manage'
          | 'messages.read'
          | 'message.send'
          | 'deliveries.read'
          | 'deliveries.replay'
          | 'credentials.manage'
        )[];
      }[];
    };
    Erasure: {
      channelId: string | null;
      /** Format: date-time */
      createdAt: string;
      endedAt: string | null;
      /** @description What has been erased, by kind of data. */
      erased: {
        attempts: number;
        cancelled: number;
        channels: number;
        containers: number;
        deliveries: number;
        events: number;
        idempotentCalls: number;
        outboundCalls: number;
        probes: number;
        replayItems: number;
        scheduledMessages: number;
        scheduledPosts: number;
        testEvents: number;
        unroutedEvents: number;
        workspaces: number;
      };
      /** @description The erasure. */
      erasureId: string;
      eventId: string | null;
      /** @enum {string} */
      kind: 'event' | 'sender' | 'workspace';
      reason: string;
      /** @enum {string} */
      status: 'erasing' | 'completed';
      /**
       * @description `answers` waits a minute for attempts that were under way when their event was erased.
       * @enum {string}
       */
      step:
        | 'events'
        | 'scheduled_messages'
        | 'scheduled_posts'
        | 'answers'
        | 'outbound_calls'
        | 'idempotent_calls'
        | 'containers'
        | 'test_events'
        | 'webhook_candidates'
        | 'default_webhooks'
        | 'unrouted_events'
        | 'channels'
        | 'workspaces';
      workspaceId: string | null;
    };
    ErasureInput: {
      /** @description Counts the matching events and erases nothing. */
      dryRun?: boolean;
      /** @description Why. The audit log keeps it, so do not name the person. */
      reason: string;
      scope:
        | {
            /** @description The event to erase. */
            event: string;
          }
        | {
            /** @description Optional. Only of this channel. */
            channelId?: string;
            /** @description The sender, as in `sender` of a delivery, or another id of the same person. A phone number may have its plus sign and spaces. */
            sender: string;
            /** @description Optional. Only in this workspace, which may be deleted. */
            workspaceId?: string;
          }
        | {
            /** @description The workspace or customer, which may be deleted. */
            workspace: string;
          };
    };
    ErasureList: {
      erasures: components['schemas']['Erasure'][];
      /** @description Pass it as `cursor` to get the next page. Null on the last page. */
      nextCursor: string | null;
    };
    ErasureStarted: {
      /** @description Null for a dry run. */
      erasureId: string | null;
      /** @description Events that match now; at most 100,000 are looked at. */
      matched: number;
    };
    /** @description The body of every error response. */
    Error: {
      /** @description Stable and machine-readable. Codes may be added. Each operation names its own. */
      code: string;
      /** @description Says what is wrong and what to do next. Its text may change. */
      message: string;
      /** @description Quote it when you contact support. */
      requestId: string;
      /** @description Equal to the status of the response. */
      statusCode: number;
    } & {
      [key: string]: unknown;
    };
    /** @enum {string} */
    ErrorCode:
      | 'VALIDATION_ERROR'
      | 'MALFORMED_JSON'
      | 'UNSUPPORTED_MEDIA_TYPE'
      | 'PAYLOAD_TOO_LARGE'
      | 'HEADERS_TOO_LARGE'
      | 'REQUEST_TIMEOUT'
      | 'AUTH_REQUIRED'
      | 'MISSING_BEARER'
      | 'CREDENTIAL_NOT_ACCEPTED_HERE'
      | 'FORBIDDEN'
      | 'AGENT_SCOPE_INSUFFICIENT'
      | 'AGENT_KEY_REVOKE_SELF_ONLY'
      | 'WORKSPACE_ORG_MISMATCH'
      | 'ADDRESS_NOT_ALLOWED'
      | 'PAGEAPP_SCOPE_DENIED'
      | 'PAGEAPP_SCOPE_MISSING'
      | 'ACCOUNT_RESTRICTED'
      | 'WORKSPACE_NOT_FOUND'
      | 'CHANNEL_NOT_FOUND'
      | 'SUBSCRIPTION_NOT_FOUND'
      | 'LISTENER_NOT_FOUND'
      | 'DELIVERY_NOT_FOUND'
      | 'CONTAINER_NOT_FOUND'
      | 'ORGANIZATION_NOT_FOUND'
      | 'INVITATION_NOT_FOUND'
      | 'MEMBER_NOT_FOUND'
      | 'REGISTRATION_NOT_FOUND'
      | 'CREDENTIAL_NOT_FOUND'
      | 'ONBOARDING_LINK_NOT_FOUND'
      | 'REPLAY_NOT_FOUND'
      | 'ROLLOUT_NOT_FOUND'
      | 'ALERT_NOT_FOUND'
      | 'EVENT_NOT_FOUND'
      | 'ERASURE_NOT_FOUND'
      | 'SCHEDULED_MESSAGE_NOT_FOUND'
      | 'SCHEDULED_POST_NOT_FOUND'
      | 'PORTAL_LINK_NOT_FOUND'
      | 'ROUTE_NOT_FOUND'
      | 'METHOD_NOT_ALLOWED'
      | 'CHANNEL_DISCONNECTED'
      | 'CREDENTIAL_REFUSED'
      | 'CHANNEL_ALREADY_CONNECTED'
      | 'EXTERNAL_ID_TAKEN'
      | 'LIMIT_REACHED'
      | 'LAST_ADMIN'
      | 'LAST_WORKSPACE'
      | 'CHANNEL_TYPE_MISMATCH'
      | 'CHANNEL_FORWARDING_DISABLED'
      | 'WEBHOOK_CONFIG_CHANGED'
      | 'CONTAINER_NOT_READY'
      | 'CONTAINER_EXPIRED'
      | 'CONTAINER_FAILED'
      | 'WEBHOOK_NOT_SET'
      | 'SUBSCRIPTION_CHANGED'
      | 'IDEMPOTENCY_KEY_REUSED'
      | 'DELIVERY_ALREADY_DELIVERED'
      | 'DELIVERY_ENDED'
      | 'REPLAY_ENDED'
      | 'DEFAULT_WEBHOOK_NOT_SET'
      | 'ROLLOUT_RUNNING'
      | 'ROLLOUT_ENDED'
      | 'ALERT_RESOLVED'
      | 'EVENT_ERASED'
      | 'ANSWER_ERASED'
      | 'MESSAGE_NOT_SCHEDULED'
      | 'ALERT_WEBHOOK_NOT_SET'
      | 'POST_NOT_SCHEDULED'
      | 'MESSAGING_WINDOW_CLOSED'
      | 'CONVERSATION_HELD_ELSEWHERE'
      | 'REPLY_ALREADY_SENT'
      | 'DUPLICATE_POST'
      | 'NUMBER_NOT_REGISTERED'
      | 'IDEMPOTENCY_KEY_IN_USE'
      | 'OTP_EXPIRED'
      | 'WEBHOOK_URL_VERIFICATION_FAILED'
      | 'URL_NOT_ALLOWED'
      | 'READ_TOO_SLOW'
      | 'OTP_INVALID'
      | 'RECIPIENT_UNREACHABLE'
      | 'MESSAGE_WITHHELD'
      | 'TEMPLATE_REJECTED'
      | 'MEDIA_REJECTED'
      | 'RATE_LIMITED'
      | 'OTP_LOCKED'
      | 'PUBLISH_QUOTA_EXCEEDED'
      | 'PLATFORM_RATE_LIMITED'
      | 'RECIPIENT_RATE_LIMITED'
      | 'INTERNAL'
      | 'BODY_UNREADABLE'
      | 'PLATFORM_REJECTED'
      | 'SERVICE_UNAVAILABLE'
      | 'PLATFORM_UNAVAILABLE'
      | 'WORKFLOW_UNAVAILABLE'
      | 'PLATFORM_OUTCOME_UNKNOWN';
    EventSubscription: {
      /** Format: date-time */
      createdAt: string;
      enabled: boolean;
      events: components['schemas']['ChannelEventType'][];
      label: string | null;
      lastDeliveredAt: string | null;
      lastFailureAt: string | null;
      /** @description The subscription. */
      subscriptionId: string;
      /** Format: uri */
      url: string;
    };
    EventSubscriptionChange: {
      /** @description False skips waiting deliveries. True applies to new events only. */
      enabled?: boolean;
      events?: components['schemas']['ChannelEventType'][];
      label?: string | null;
      /**
       * @description What happens to deliveries that wait for the previous URL: `follow` sends them to the new URL (default), `keep` to the previous one, and `cancel` cancels them.
       * @enum {string}
       */
      pending?: 'follow' | 'keep' | 'cancel';
      /** Format: uri */
      url?: string;
    };
    EventSubscriptionInput: {
      /** @description True by default. */
      enabled?: boolean;
      events: components['schemas']['ChannelEventType'][];
      label?: string | null;
      /** Format: uri */
      url: string;
    };
    EventSubscriptionList: {
      /** @description Pass it as `cursor` to get the next page. Null on the last page. */
      nextCursor: string | null;
      subscriptions: components['schemas']['EventSubscription'][];
    };
    Health: {
      /** @constant */
      status: 'ok';
    };
    InsightMetric: {
      /** @description Parts of the total, if you requested a breakdown. */
      breakdown:
        | {
            dimensions: {
              [key: string]: string;
            };
            value: number;
          }[]
        | null;
      name: string;
      period: string | null;
      values: {
        /** @description End of the counted period; null for a total. */
        endTime: string | null;
        value:
          | (
              | number
              | {
                  [key: string]: number;
                }
            )
          | null;
      }[];
    };
    InvariantRule: {
      /** @description Number of violations. */
      count: number;
      /** @description Describes a violation. */
      description: string;
      /** @enum {string} */
      rule:
        | 'event_without_delivery'
        | 'destination_without_delivery'
        | 'event_sent_twice'
        | 'delivery_without_event'
        | 'delivered_without_acceptance'
        | 'exhausted_early'
        | 'skipped_without_reason'
        | 'waiting_for_nobody'
        | 'retrying_overdue'
        | 'hold_without_head'
        | 'circuit_overdue'
        | 'replay_overdue'
        | 'container_overdue';
      /** @description Some affected events, deliveries, replays or containers by id, or destinations by name. */
      samples: string[];
    };
    Invariants: {
      /** @description Null before the first check. */
      lastRun: {
        /** @description Checked deliveries, in addition to all waiting ones. */
        deliveryCount: number;
        /** Format: date-time */
        endedAt: string;
        /** @description Checked events. */
        eventCount: number;
        /** Format: date-time */
        startedAt: string;
      } | null;
      /** @description All rules; empty before the first check. */
      rules: components['schemas']['InvariantRule'][];
    };
    Invitation: {
      /** Format: date-time */
      createdAt: string;
      email: string;
      /** Format: date-time */
      expiresAt: string;
      /** @description The invitation. */
      invitationId: string;
      /** @enum {string} */
      role: 'admin' | 'member';
      /** @enum {string} */
      status: 'open' | 'accepted' | 'revoked' | 'expired';
      workspaceId: string | null;
      workspaceRole: ('member' | 'developer' | 'admin') | null;
    };
    InvitationAccepted: {
      /** @description The organization that the person joined. */
      organizationId: string;
      /** @enum {string} */
      role: 'admin' | 'member';
      workspaceId: string | null;
      workspaceRole: ('member' | 'developer' | 'admin') | null;
    };
    InvitationAcceptInput: {
      /** @description The token from the email. */
      token: string;
    };
    InvitationInput: {
      /** Format: email */
      email: string;
      /** @enum {string} */
      role: 'admin' | 'member';
      /** @description A workspace that the person also joins. */
      workspaceId?: string;
      /**
       * @description Allowed only with `workspaceId`; `member` by default.
       * @enum {string}
       */
      workspaceRole?: 'member' | 'developer' | 'admin';
    };
    InvitationList: {
      invitations: components['schemas']['Invitation'][];
      /** @description Pass it as `cursor` to get the next page. Null on the last page. */
      nextCursor: string | null;
    };
    LastAttempt: {
      durationMs: number;
      /** @description Why there was no response. Beside a status: what cut the response off within its body, such as `reset` or `timeout`; the outcome follows from the status alone. Null otherwise. Values may be added. */
      error: string | null;
      number: number;
      /** @enum {string} */
      outcome: 'accepted' | 'rejected' | 'no_response' | 'blocked';
      /** Format: date-time */
      startedAt: string;
      /** @description HTTP status of the response; null without a response. */
      status: number | null;
      /** @description The URL that the attempt was sent to, even if the destination has another one now. Null if nothing was sent or the event is erased, for attempts before this was recorded, for a listener, and for the webhook in a portal. */
      url: string | null;
    };
    Listener: {
      /** @description The channel of its events. */
      channelId: string;
      /** Format: date-time */
      createdAt: string;
      /** @description Null for all events of the channel. */
      eventTypes:
        | (
            | 'chatapp.message.received'
            | 'chatapp.message.status'
            | 'photoapp.message.received'
            | 'photoapp.comment.received'
            | 'pageapp.message.received'
            | 'pageapp.message.reaction'
            | 'pageapp.message.read'
            | 'pageapp.message.delivered'
            | 'pageapp.postback.received'
            | 'pageapp.comment.received'
            | 'pageapp.post.changed'
            | 'chatapp.other.received'
            | 'photoapp.other.received'
            | 'pageapp.other.received'
          )[]
        | null;
      /**
       * Format: date-time
       * @description When the listener and its waiting deliveries are deleted: 7 days after the last read.
       */
      expiresAt: string;
      label: string | null;
      /** @description The last read, accurate to the minute. */
      lastReadAt: string | null;
      /** @description The listener. */
      listenerId: string;
    };
    ListenerDelivery: {
      /** @description The number in `x-service-attempt`. Pass it to the acknowledgement. */
      attempt: number;
      /** @description The delivery. */
      deliveryId: string;
      /** @description The event. */
      eventId: string;
      /** @enum {string} */
      eventType:
        | 'chatapp.message.received'
        | 'chatapp.message.status'
        | 'photoapp.message.received'
        | 'photoapp.comment.received'
        | 'pageapp.message.received'
        | 'pageapp.message.reaction'
        | 'pageapp.message.read'
        | 'pageapp.message.delivered'
        | 'pageapp.postback.received'
        | 'pageapp.comment.received'
        | 'pageapp.post.changed'
        | 'chatapp.other.received'
        | 'photoapp.other.received'
        | 'pageapp.other.received';
      /** @description All headers of a POST request, with names in lower case. Each read has new signatures. */
      headers: {
        [key: string]: string;
      };
      /** @description The stored and signed body, as UTF-8. */
      payload: string;
      /** Format: date-time */
      receivedAt: string;
      sender: string | null;
    };
    ListenerInput: {
      /** @description All events of the channel by default. */
      eventTypes?:
        | (
            | 'chatapp.message.received'
            | 'chatapp.message.status'
            | 'photoapp.message.received'
            | 'photoapp.comment.received'
            | 'pageapp.message.received'
            | 'pageapp.message.reaction'
            | 'pageapp.message.read'
            | 'pageapp.message.delivered'
            | 'pageapp.postback.received'
            | 'pageapp.comment.received'
            | 'pageapp.post.changed'
            | 'chatapp.other.received'
            | 'photoapp.other.received'
            | 'pageapp.other.received'
          )[]
        | null;
      /** @description A name for people, such as the owner of the computer. */
      label?: string | null;
    };
    ListenerList: {
      listeners: components['schemas']['Listener'][];
      /** @description Pass it as `cursor` to get the next page. Null on the last page. */
      nextCursor: string | null;
    };
    ListenerRead: {
      deliveries: components['schemas']['ListenerDelivery'][];
      /** @description Position after the last delivery, or the position of this read if it returned none. Null if nothing was ever read. */
      nextCursor: string | null;
    };
    MediaContainer: {
      caption: string | null;
      /** @description The channel. */
      channelId: string;
      checkedAt: string | null;
      /** @description Null unless it is a CAROUSEL. */
      children: components['schemas']['MediaContainerChild'][] | null;
      /** @description The container. */
      containerId: string;
      /** Format: date-time */
      createdAt: string;
      /** Format: date-time */
      expiresAt: string;
      /** @description The platform's id of the published media, if known. */
      mediaId: string | null;
      mediaType: components['schemas']['MediaType'];
      nextCheckAt: string | null;
      permalink: string | null;
      platformContainerId: string | null;
      publishedAt: string | null;
      /** @description What the platform's last refusal means, as an error code: a direct call would have been answered with it. Null without a refusal. */
      refusalCode:
        | (
            | 'PLATFORM_RATE_LIMITED'
            | 'RECIPIENT_RATE_LIMITED'
            | 'PUBLISH_QUOTA_EXCEEDED'
            | 'MESSAGING_WINDOW_CLOSED'
            | 'RECIPIENT_UNREACHABLE'
            | 'MESSAGE_WITHHELD'
            | 'CONVERSATION_HELD_ELSEWHERE'
            | 'REPLY_ALREADY_SENT'
            | 'DUPLICATE_POST'
            | 'TEMPLATE_REJECTED'
            | 'MEDIA_REJECTED'
            | 'ACCOUNT_RESTRICTED'
            | 'NUMBER_NOT_REGISTERED'
            | 'PAGEAPP_SCOPE_MISSING'
            | 'CREDENTIAL_REFUSED'
            | 'CONTAINER_NOT_READY'
            | 'CONTAINER_EXPIRED'
            | 'CONTAINER_FAILED'
            | 'VALIDATION_ERROR'
            | 'PLATFORM_REJECTED'
            | 'PLATFORM_UNAVAILABLE'
            | 'PLATFORM_OUTCOME_UNKNOWN'
          )
        | null;
      /**
       * @description The container can be published while `finished`. It is also `finished` if the platform accepted it and hides its status: a publish that comes too early then returns CONTAINER_NOT_READY.
       * @enum {string}
       */
      status: 'creating' | 'in_progress' | 'finished' | 'publishing' | 'published' | 'error' | 'expired' | 'unknown';
      /** @description Why the container failed, was not published, or has a status that the platform hides. */
      statusDetail: string | null;
    };
    MediaContainerChild: {
      imageUrl: string | null;
      /** @description Position in `children` of the request. */
      index: number;
      /** @enum {string} */
      status: 'creating' | 'in_progress' | 'finished' | 'error' | 'expired' | 'unknown';
      videoUrl: string | null;
    };
    /** @description Requires exactly one of `imageUrl` and `videoUrl`. */
    MediaContainerChildInput: {
      /**
       * Format: uri
       * @description A public https URL of an image.
       */
      imageUrl?: string;
      /**
       * Format: uri
       * @description A public https URL of a video.
       */
      videoUrl?: string;
    };
    MediaContainerCreated: {
      /** @description The channel. */
      channelId: string;
      /** @description The container. */
      containerId: string;
    };
    MediaContainerInput: {
      /** @description Text alternative of the image. IMAGE only. */
      altText?: string;
      /** @description Name of the sound. For VIDEO and REELS. */
      audioName?: string;
      /**
       * @description Publish as soon as the container is finished.
       * @default false
       */
      autoPublish: boolean;
      /** @description At most 30 hashtags and 20 mentions. Not for STORIES. */
      caption?: string;
      /** @description The items of a CAROUSEL, in order. */
      children?: components['schemas']['MediaContainerChildInput'][];
      /**
       * Format: uri
       * @description Shown before the video plays. Takes precedence over `thumbOffset`. For VIDEO and REELS.
       */
      coverUrl?: string;
      /**
       * Format: uri
       * @description A public https URL of an image. For IMAGE, or STORIES.
       */
      imageUrl?: string;
      /** @description Id of a Page with a location. For IMAGE, VIDEO and REELS. */
      locationId?: string;
      mediaType: components['schemas']['MediaType'];
      /** @description For VIDEO and REELS. A CAROUSEL is always shared. */
      shareToFeed?: boolean;
      /** @description The position of the thumbnail frame, in milliseconds. */
      thumbOffset?: number;
      /**
       * @description Shows a reel first to people who do not follow the account. `graduationStrategy` says how the trial ends: `manual` or `automatic`. All members are sent to the platform as they are, with its names for these two. Dropped if it is empty, and unless it is a VIDEO or REELS, because the platform has no place for it.
       * @example {
       *       "graduationStrategy": "manual"
       *     }
       */
      trialParams?: {
        [key: string]: unknown;
      };
      /** @description An image requires x and y; for other media they are dropped. A CAROUSEL tags its first child, which must be an image. */
      userTags?: components['schemas']['MediaUserTag'][];
      /**
       * Format: uri
       * @description A public https URL of a video. For VIDEO and REELS, or STORIES.
       */
      videoUrl?: string;
    };
    MediaContainerList: {
      containers: components['schemas']['MediaContainer'][];
      /** @description Pass it as `cursor` to get the next page. Null on the last page. */
      nextCursor: string | null;
    };
    MediaContainerPublished: {
      /** @description The channel. */
      channelId: string;
      /** @description The container. */
      containerId: string;
      /** @description The platform's id of the published media, if known. */
      mediaId: string | null;
      permalink: string | null;
    };
    /** @enum {string} */
    MediaType: 'IMAGE' | 'VIDEO' | 'REELS' | 'STORIES' | 'CAROUSEL';
    MediaUserTag: {
      /** @description A leading @ is dropped. */
      username: string;
      /** @description Distance from the left edge, as a share of the width. Dropped unless it is an image. */
      x?: number;
      /** @description Distance from the top edge, as a share of the height. Dropped unless it is an image. */
      y?: number;
    };
    Member: {
      /**
       * Format: date-time
       * @description When the person became a member.
       */
      createdAt: string;
      email: string;
      /** @enum {string} */
      role: 'admin' | 'member';
      /** @description The person. */
      userId: string;
    };
    MemberKey: {
      agentCredentialId: string | null;
      /** Format: date-time */
      createdAt: string;
      /** @description Null if the key is valid until it is revoked. */
      expiresAt: string | null;
      /** @description The key. */
      keyId: string;
      /** @description Accurate to half a minute. */
      lastUsedAt: string | null;
      name: string;
      /**
       * @description Whether the person created the key or has seen a key of another person.
       * @enum {string}
       */
      relation: 'made' | 'revealed';
      /** @description Null if not limited to scopes. */
      scopes:
        | (
            | 'workspace.read'
            | 'workspace.manage'
            | 'channel.read'
            | 'channel.manage'
            | 'channel.reveal'
            | 'channel.connect'
            | 'webhook.manage'
            | 'messages.read'
            | 'message.send'
            | 'deliveries.read'
            | 'deliveries.replay'
            | 'credentials.manage'
          )[]
        | null;
    };
    MemberKeyList: {
      keys: components['schemas']['MemberKey'][];
      /** @description Pass it as `cursor` to get the next page. Null on the last page. */
      nextCursor: string | null;
    };
    MemberKeyRevocation: {
      revokedKeyIds: string[];
    };
    MemberKeyRevocationInput: {
      /** @description The keys to revoke; all valid keys that the person created by default. */
      keyIds?: string[];
    };
    MemberList: {
      members: components['schemas']['Member'][];
      /** @description Pass it as `cursor` to get the next page. Null on the last page. */
      nextCursor: string | null;
    };
    MemberRoleInput: {
      /** @enum {string} */
      role: 'admin' | 'member';
    };
    /**
     * @description One of two forms. `{to, text}` sends a text; `to` is a phone number, a user id, or the id of the person for the account, as in the `sender` of an event. A message in the platform's format is forwarded unchanged, except that a missing product name is added, and that a user id in `to` becomes the `recipient`: the platform would lose the message.
     * @example {
     *       "to": "15551230000",
     *       "text": "Hello"
     *     }
     */
    MessageInput: {
      [key: string]: unknown;
    };
    MessageRead: {
      /** @description The channel. */
      channelId: string;
      messageId: string;
      read: boolean;
    };
    MessageReadInput: {
      /** @description The author of the message. It saves a lookup of the message. */
      to?: string;
    };
    MessageSent: {
      /** @description The channel. */
      channelId: string;
      /** @description Null for content without an id, such as a reaction. */
      messageId: string | null;
      /** @description The platform's initial status, or null. */
      messageStatus: string | null;
      /** @description The person, as the platform names it: the phone number if it tells one, otherwise the user id. */
      recipientId: string | null;
      /** @description On chatapp channels, the id of the person for your business, if the platform tells it. */
      userId: string | null;
    };
    OnboardingLink: {
      /** @enum {string} */
      channelType: 'chatapp' | 'photoapp' | 'pageapp';
      connectedNotificationUrl: string | null;
      /** Format: date-time */
      createdAt: string;
      displayName: string | null;
      expiresAt: string | null;
      externalId: string | null;
      failureUrl: string | null;
      label: string;
      /** @description The call to `connectedNotificationUrl` about the newest connection. Null without one. */
      lastNotification: {
        attemptCount: number;
        /** @description The connected channel. */
        channelId: string;
        /** Format: date-time */
        connectedAt: string;
        /** @description The last HTTP status. Null without an answer. */
        lastStatus: number | null;
        /**
         * @description `exhausted` after the last retry failed.
         * @enum {string}
         */
        state: 'pending' | 'sent' | 'exhausted';
      } | null;
      logoUrl: string | null;
      /** @description Null for any number. */
      maxUses: number | null;
      /** @description Verifies notifications (Standard Webhooks). Null without `connectedNotificationUrl`. */
      notificationSecret: string | null;
      /** @description The link. */
      onboardingLinkId: string;
      /**
       * @description Only active links connect channels. Changing `expiresAt` or `maxUses` can reactivate others.
       * @enum {string}
       */
      status: 'active' | 'expired' | 'used_up' | 'revoked';
      successUrl: string | null;
      /** @description The URL that the customer opens; null if the link is revoked. */
      url: string | null;
      /** @description Connections and reconnections through the link. */
      useCount: number;
      workspaceId: string | null;
    };
    OnboardingLinkInput: {
      /** @enum {string} */
      channelType: 'chatapp' | 'photoapp' | 'pageapp';
      connectedNotificationUrl?: string | null;
      /** @description Your name on the page of the link, above the name of the organization. */
      displayName?: string | null;
      /** @description In the future. Null if the link is valid until it is revoked. */
      expiresAt?: string | null;
      externalId?: string | null;
      failureUrl?: string | null;
      /** @description Shown to the customer on the page of the link. */
      label: string;
      logoUrl?: string | null;
      /** @description Connections that the link allows; 1 for single use, null for any number. */
      maxUses?: number | null;
      successUrl?: string | null;
      workspaceId?: string | null;
    };
    OnboardingLinkList: {
      /** @description Pass it as `cursor` to get the next page. Null on the last page. */
      nextCursor: string | null;
      onboardingLinks: components['schemas']['OnboardingLink'][];
    };
    OnboardingLinkPatch: {
      connectedNotificationUrl?: string | null;
      /** @description Your name on the page of the link, above the name of the organization. */
      displayName?: string | null;
      /** @description In the future. Null if the link is valid until it is revoked. */
      expiresAt?: string | null;
      externalId?: string | null;
      failureUrl?: string | null;
      /** @description Shown to the customer on the page of the link. */
      label?: string;
      logoUrl?: string | null;
      /** @description Connections that the link allows; 1 for single use, null for any number. */
      maxUses?: number | null;
      successUrl?: string | null;
      workspaceId?: string | null;
    };
    Organization: {
      /** Format: date-time */
      createdAt: string;
      /** @description The organization. */
      id: string;
      name: string;
    };
    OrganizationPatch: {
      name: string;
    };
    OutboundCall: {
      /** @description A credential, the first characters of a channel token, or a workflow. */
      caller: string;
      /** @description The caller's own x-request-id. */
      callerRequestId: string | null;
      /** @description The channel of the call. */
      channelId: string;
      durationMs: number;
      /** @description The platform's code and subcode, or the reason for a missing response. */
      error: string | null;
      method: string;
      /** @description The operation of the API; null for the gateway. */
      operation: string | null;
      /** @description Without version and query. */
      path: string;
      /** @description Quote it to the platform's support. */
      platformRequestId: string | null;
      /** @description The service's id of the request. */
      requestId: string;
      /** Format: date-time */
      startedAt: string;
      /** @description Null without a response. */
      status: number | null;
      /**
       * @description The component that made the call.
       * @enum {string}
       */
      via: 'gateway' | 'api' | 'workflow';
    };
    OutboundCallList: {
      /** @description Pass it as `cursor` to get the next page. Null on the last page. */
      nextCursor: string | null;
      outboundCalls: components['schemas']['OutboundCall'][];
    };
    Overview: {
      /** @description Open alerts, at most 1,000 of each severity. */
      alerts: {
        critical: number;
        warning: number;
      };
      /** @description The last 24 hours, oldest first. A bucket without deliveries has zeros. */
      buckets: components['schemas']['OverviewBucket'][];
      /** @example 3600 */
      bucketSeconds: number;
      /** @description Connected channels, and those of them that have a destination; at most 1,000 of each. */
      channels: {
        connected: number;
        firstId: string | null;
        firstWorkspaceId: string | null;
        withDestination: number;
      };
      /** @description The last 24 hours. */
      current: components['schemas']['OverviewTotals'];
      /** @description The 24 hours before. */
      previous: components['schemas']['OverviewTotals'];
      /** Format: date-time */
      since: string;
      /** @description Destinations that need attention, the most urgent first; at most 20. */
      trouble: components['schemas']['TroubledDestination'][];
      /**
       * Format: date-time
       * @description The present. The answer can be some seconds old.
       */
      until: string;
    };
    OverviewBucket: {
      /**
       * Format: date-time
       * @description Start of the hour.
       */
      at: string;
      /**
       * @description Those that are delivered.
       * @example 117
       */
      delivered: number;
      /**
       * @description Deliveries whose event was received in this time.
       * @example 120
       */
      deliveries: number;
      /**
       * @description Those that are exhausted.
       * @example 1
       */
      failed: number;
      /**
       * @description Those that are waiting.
       * @example 2
       */
      waiting: number;
    };
    OverviewFailure: {
      /**
       * @description The start of the answer, or the error of the connection.
       * @example upstream is down
       */
      answer: string | null;
      /**
       * Format: date-time
       * @description When the attempt started.
       */
      at: string;
      /** @description The delivery. */
      deliveryId: string;
      /** @enum {string} */
      outcome: 'accepted' | 'rejected' | 'no_response' | 'blocked';
      /**
       * @description HTTP status of the answer; null without one.
       * @example 500
       */
      status: number | null;
    };
    OverviewTotals: {
      /**
       * @description Those that are delivered.
       * @example 117
       */
      delivered: number;
      /**
       * @description Deliveries whose event was received in this time.
       * @example 120
       */
      deliveries: number;
      /**
       * @description Those that are exhausted.
       * @example 1
       */
      failed: number;
      /** @description False if there are more deliveries than can be counted. The newest of each channel are counted. */
      isComplete: boolean;
      /**
       * @description From the acceptance of the event to the end of the accepted attempt; null without any.
       * @example {
       *       "p50": 84.5,
       *       "p95": 310.2
       *     }
       */
      latencyMs: {
        p50: number;
        p95: number;
      } | null;
      /**
       * @description Those that are waiting.
       * @example 2
       */
      waiting: number;
    };
    PageappComment: {
      createdAt: string | null;
      fromId: string | null;
      fromName: string | null;
      id: string;
      isHidden: boolean | null;
      message: string | null;
      /** @description The comment to which this one replies. */
      parentId: string | null;
    };
    PageappCommentList: {
      comments: components['schemas']['PageappComment'][];
      /** @description Pass it as `cursor` to get the next page. Null on the last page. */
      nextCursor: string | null;
    };
    PageappInsights: {
      metrics: components['schemas']['InsightMetric'][];
      /**
       * @description With `reel`, `targetId` is its video.
       * @enum {string}
       */
      target: 'page' | 'post' | 'reel';
      targetId: string;
      /** @description Metrics without a value: unknown, too few people, or no data. They are not zero. */
      unavailable: string[];
    };
    PageappPage: {
      category: string | null;
      followers: number | null;
      link: string | null;
      name: string | null;
      pageId: string;
      pictureUrl: string | null;
    };
    PageappPost: {
      createdAt: string | null;
      id: string;
      message: string | null;
      permalink: string | null;
      /** @description Null for kinds that the API cannot publish. */
      type: ('text' | 'link' | 'photo' | 'video') | null;
    };
    PageappPostDeleted: {
      /** @description The channel. */
      channelId: string;
      deleted: boolean;
      postId: string;
    };
    PageappPostInput: {
      /** @description For the kind video. */
      description?: string;
      /** @enum {string} */
      kind: 'text' | 'link' | 'photo' | 'video';
      /**
       * Format: uri
       * @description For the kind link. Required.
       */
      link?: string;
      /**
       * Format: uri
       * @description For the kinds photo and video. Required.
       */
      mediaUrl?: string;
      /** @description For the kinds text, link and photo. Required for text. */
      message?: string;
    };
    PageappPostList: {
      /** @description Pass it as `cursor` to get the next page. Null on the last page. */
      nextCursor: string | null;
      posts: components['schemas']['PageappPost'][];
    };
    PageappPublished: {
      /** @description The channel. */
      channelId: string;
      /** @enum {string} */
      kind: 'text' | 'link' | 'photo' | 'video' | 'reel';
      /** @description The id of the photo, video or reel. */
      mediaId: string | null;
      /** @description Has the form `<page>_<post>`. */
      postId: string;
    };
    PageappReelInput: {
      description?: string;
      /**
       * Format: uri
       * @description A public https URL.
       */
      videoUrl: string;
    };
    PageappReplyInput: {
      message: string;
      /**
       * @description Sends a private message to the author. Allowed once per comment, within 7 days.
       * @default false
       */
      private: boolean;
    };
    PersonExportInput: {
      /** @description Optional. Only of this channel. */
      channelId?: string;
      /** @description Why. The audit log keeps it, so do not name the person. */
      reason: string;
      /** @description The sender, as in `sender` of a delivery, or another id of the same person. A phone number may have its plus sign and spaces. */
      sender: string;
      /** @description Optional. Only in this workspace, which may be deleted. */
      workspaceId?: string;
    };
    PersonExportLine:
      | {
          /** @description Null for all. */
          channelId: string | null;
          /**
           * Format: date-time
           * @description What came later is not in the export.
           */
          createdAt: string;
          /** @description The sender and the other ids of the same person, such as a user id beside a phone number. */
          personIds: string[];
          sender: string;
          /** @constant */
          type: 'export';
          /** @description Null for all. */
          workspaceId: string | null;
        }
      | {
          /** @description The channel. */
          channelId: string;
          /** @description The event. */
          eventId: string;
          /** @enum {string} */
          eventType:
            | 'chatapp.message.received'
            | 'chatapp.message.status'
            | 'photoapp.message.received'
            | 'photoapp.comment.received'
            | 'pageapp.message.received'
            | 'pageapp.message.reaction'
            | 'pageapp.message.read'
            | 'pageapp.message.delivered'
            | 'pageapp.postback.received'
            | 'pageapp.comment.received'
            | 'pageapp.post.changed'
            | 'chatapp.other.received'
            | 'photoapp.other.received'
            | 'pageapp.other.received';
          /** @description The stored bytes; null if they cannot be decrypted. */
          payload: string | null;
          platformMessageId: string | null;
          /** Format: date-time */
          receivedAt: string;
          /** @description Who sent it. Null for a status, and the business for an echo, of a message to the person. */
          sender: string | null;
          /** @constant */
          type: 'event';
          /** @description The workspace that received it. */
          workspaceId: string;
        }
      | {
          /** @description How many attempts were made. */
          attemptCount: number;
          /** @description Why and by whom it was cancelled. Null unless it is, and if that was before this was recorded. */
          cancellation: components['schemas']['DeliveryCancellation'] | null;
          /** @description The channel of the event. */
          channelId: string;
          /** @description The display name of the channel. */
          channelName: string;
          /**
           * Format: date-time
           * @description When the delivery was created: with its event, or later for a replay. Lists are ordered by it.
           */
          createdAt: string;
          /** @description The delivery of one event to one destination. */
          deliveryId: string;
          /** @description Null if the channel had none. */
          destination: components['schemas']['DeliveryDestination'] | null;
          /** @description When the body, the sender and the responses were erased; null if they were not. */
          erasedAt: string | null;
          /** @description The event. */
          eventId: string;
          /** @enum {string} */
          eventType:
            | 'chatapp.message.received'
            | 'chatapp.message.status'
            | 'photoapp.message.received'
            | 'photoapp.comment.received'
            | 'pageapp.message.received'
            | 'pageapp.message.reaction'
            | 'pageapp.message.read'
            | 'pageapp.message.delivered'
            | 'pageapp.postback.received'
            | 'pageapp.comment.received'
            | 'pageapp.post.changed'
            | 'chatapp.other.received'
            | 'photoapp.other.received'
            | 'pageapp.other.received';
          /** @description The earliest time of the next attempt: by the retry schedule, or by the next probe of an open circuit if that is later. */
          nextAttemptAt: string | null;
          platformMessageId: string | null;
          /**
           * Format: date-time
           * @description When the event was received.
           */
          receivedAt: string;
          /** @description Null if no bulk replay created it. A delivery that was replayed individually has only `replayOf`. */
          replayId: string | null;
          /** @description Null unless it is a replay. */
          replayOf: string | null;
          sender: string | null;
          skipReason: ('forwarding_disabled' | 'no_destination' | 'destination_disabled') | null;
          /** @enum {string} */
          status: 'pending' | 'retrying' | 'delivered' | 'exhausted' | 'cancelled' | 'skipped';
          /** @description The trace of the event, to quote to support; null if the event is not sampled. */
          traceId: string | null;
          /** @constant */
          type: 'delivery';
          /** @description The open circuit of the destination that holds the delivery back, or null. */
          waitsForCircuit: components['schemas']['CircuitAhead'] | null;
          /** @description The workflow that retries the delivery; null before its third failure. */
          workflowId: string | null;
        }
      | {
          /** @description What the request carried, if the destination was debounced; null otherwise. */
          batch: {
            /** @description The deliveries of the array, in order. */
            deliveryIds: string[];
            /** @description The header `webhook-id` of the request. */
            id: string;
          } | null;
          /** @description The delivery that was attempted. */
          deliveryId: string;
          durationMs: number;
          /** @description Why there was no response. Beside a status: what cut the response off within its body, such as `reset` or `timeout`; the outcome follows from the status alone. Null otherwise. Values may be added. */
          error: string | null;
          number: number;
          /** @enum {string} */
          outcome: 'accepted' | 'rejected' | 'no_response' | 'blocked';
          /** @description The first 16 KiB of the response, as UTF-8. */
          responseBody: string | null;
          /** @description Without the values of cookies, credentials and the like, which are `[redacted]`. Of `location`, only the origin. */
          responseHeaders: {
            [key: string]: string | string[];
          };
          /** Format: date-time */
          startedAt: string;
          /** @description HTTP status of the response; null without a response. */
          status: number | null;
          /** @constant */
          type: 'attempt';
          /** @description The URL that the attempt was sent to, even if the destination has another one now. Null if nothing was sent or the event is erased, for attempts before this was recorded, for a listener, and for the webhook in a portal. */
          url: string | null;
        }
      | {
          /** @description A credential, the first characters of a channel token, or a workflow. */
          caller: string;
          /** @description The caller's own x-request-id. */
          callerRequestId: string | null;
          channelId: string | null;
          durationMs: number;
          /** @description The platform's code and subcode, or the reason for a missing response. */
          error: string | null;
          method: string;
          /** @description The operation of the API; null for the gateway. */
          operation: string | null;
          /** @description Without version and query. */
          path: string;
          /** @description Quote it to the platform's support. */
          platformRequestId: string | null;
          /** @description The service's id of the request. */
          requestId: string;
          /** Format: date-time */
          startedAt: string;
          /** @description Null without a response. */
          status: number | null;
          /** @constant */
          type: 'outbound_call';
          /**
           * @description The component that made the call.
           * @enum {string}
           */
          via: 'gateway' | 'api' | 'workflow';
        }
      | {
          answer: unknown;
          /** @description The channel. */
          channelId: string;
          /** Format: date-time */
          createdAt: string;
          operation: string;
          /** @constant */
          type: 'kept_answer';
        }
      | {
          /** @description The channel. */
          channelId: string;
          /** @description The container. */
          containerId: string;
          /** Format: date-time */
          createdAt: string;
          /** @description Caption, tags and media, as they were requested. */
          request: {
            [key: string]: unknown;
          };
          /** @enum {string} */
          status:
            'creating' | 'in_progress' | 'finished' | 'publishing' | 'published' | 'error' | 'expired' | 'unknown';
          /** @constant */
          type: 'container';
        }
      | {
          /** @description The channel. */
          channelId: string;
          /** @description Caption, tags and media, as they were requested. */
          container: {
            [key: string]: unknown;
          };
          /** Format: date-time */
          createdAt: string;
          /** Format: date-time */
          publishAt: string;
          /** @description The scheduled post. */
          scheduledPostId: string;
          /** @enum {string} */
          status: 'scheduled' | 'started' | 'failed' | 'cancelled';
          /** @constant */
          type: 'scheduled_post';
        }
      | {
          /** @description The channel. */
          channelId: string;
          /** Format: date-time */
          createdAt: string;
          /** @description Null once the message has ended. */
          message: {
            [key: string]: unknown;
          } | null;
          /** @description The scheduled message. */
          scheduledMessageId: string;
          /** Format: date-time */
          sendAt: string;
          /** @enum {string} */
          status: 'scheduled' | 'sending' | 'sent' | 'failed' | 'unknown' | 'cancelled';
          /** @constant */
          type: 'scheduled_message';
        }
      | {
          /** @description The channel. */
          channelId: string;
          eventType:
            | (
                | 'chatapp.message.received'
                | 'chatapp.message.status'
                | 'photoapp.message.received'
                | 'photoapp.comment.received'
                | 'pageapp.message.received'
                | 'pageapp.message.reaction'
                | 'pageapp.message.read'
                | 'pageapp.message.delivered'
                | 'pageapp.postback.received'
                | 'pageapp.comment.received'
                | 'pageapp.post.changed'
                | 'chatapp.other.received'
                | 'photoapp.other.received'
                | 'pageapp.other.received'
              )
            | null;
          /** @description The stored bytes. */
          payload: string;
          /** Format: date-time */
          receivedAt: string;
          /** @constant */
          type: 'unrouted_event';
        }
      | {
          /** @constant */
          type: 'progress';
        }
      | {
          counts: {
            attempts: number;
            containers: number;
            deliveries: number;
            events: number;
            keptAnswers: number;
            outboundCalls: number;
            scheduledMessages: number;
            scheduledPosts: number;
            unroutedEvents: number;
          };
          /** @constant */
          type: 'end';
        };
    PhotoappAccount: {
      accountId: string;
      biography: string | null;
      followerCount: number | null;
      followingCount: number | null;
      mediaCount: number | null;
      name: string | null;
      profilePictureUrl: string | null;
      /** @description API posts within the duration; null unless requested and known. */
      quota: {
        durationSeconds: number | null;
        total: number;
        used: number;
      } | null;
      username: string | null;
      website: string | null;
    };
    PhotoappComment: {
      createdAt: string | null;
      fromId: string | null;
      id: string;
      isHidden: boolean | null;
      likeCount: number | null;
      parentId: string | null;
      text: string | null;
      username: string | null;
    };
    PhotoappCommentList: {
      comments: components['schemas']['PhotoappComment'][];
      /** @description Pass it as `cursor` to get the next page. Null on the last page. */
      nextCursor: string | null;
    };
    PhotoappInsights: {
      metrics: components['schemas']['InsightMetric'][];
      /** @enum {string} */
      target: 'account' | 'media';
      targetId: string;
      /** @description Metrics without a value: unknown, too few people, or no data. They are not zero. */
      unavailable: string[];
    };
    PhotoappMedia: {
      caption: string | null;
      /** @description Only for a carousel requested by `mediaId`. */
      children:
        | {
            createdAt: string | null;
            id: string;
            mediaType: ('image' | 'video' | 'carousel') | null;
            /** @description Expires after a short time. */
            mediaUrl: string | null;
            permalink: string | null;
            thumbnailUrl: string | null;
          }[]
        | null;
      commentCount: number | null;
      createdAt: string | null;
      id: string;
      likeCount: number | null;
      mediaType: ('image' | 'video' | 'carousel') | null;
      /** @description Expires after a short time. */
      mediaUrl: string | null;
      permalink: string | null;
      /** @description Where it appears: feed, reels, story or ad. */
      productType: string | null;
      thumbnailUrl: string | null;
      username: string | null;
    };
    PhotoappMediaList: {
      media: components['schemas']['PhotoappMedia'][];
      /** @description Pass it as `cursor` to get the next page. Null on the last page. */
      nextCursor: string | null;
    };
    PhotoappMediaModeration: {
      /** @enum {string} */
      action: 'enable_comments' | 'disable_comments';
      /** @description The channel. */
      channelId: string;
      mediaId: string;
      ok: boolean;
    };
    PhotoappMediaModerationInput: {
      /** @enum {string} */
      action: 'enable_comments' | 'disable_comments';
    };
    PhotoappMention: {
      comment: components['schemas']['PhotoappComment'] | null;
      /** @description The media object that mentions the account, or that was commented on. */
      media: components['schemas']['PhotoappMedia'] | null;
    };
    /** @description Without an id, media of other accounts that tag the account. */
    PhotoappMentionList: {
      mentions: components['schemas']['PhotoappMention'][];
      /** @description Pass it as `cursor` to get the next page. Null on the last page. */
      nextCursor: string | null;
    };
    PhotoappReplyInput: {
      /**
       * @description Sends a private message to the author. Allowed once per comment, within 7 days.
       * @default false
       */
      private: boolean;
      text: string;
    };
    PortalLink: {
      /** @description Null for all channels of the workspace. */
      channelIds: string[] | null;
      /** Format: date-time */
      createdAt: string;
      /** Format: date-time */
      expiresAt: string;
      lastUsedAt: string | null;
      name: string | null;
      /** @description The portal link. */
      portalLinkId: string;
      rights: (
        | 'channels.read'
        | 'deliveries.read'
        | 'deliveries.retry'
        | 'subscriptions.read'
        | 'subscriptions.manage'
        | 'replays.read'
        | 'replays.manage'
      )[];
      /** @enum {string} */
      status: 'active' | 'expired' | 'revoked';
      /** @description How often the link was opened. */
      useCount: number;
    };
    PortalLinkInput: {
      /** @description The only channels that the portal shows. Omit for all channels of the workspace. */
      channelIds?: string[];
      /** @description Seconds until the link and its sessions end; 3600 by default. */
      expiresIn?: number;
      /** @description Tells your links apart. The customer does not see it. */
      name?: string;
      /** @description What the customer may do. `channels.read` is always included, and each right to change something includes the right to read it. */
      rights: (
        | 'channels.read'
        | 'deliveries.read'
        | 'deliveries.retry'
        | 'subscriptions.read'
        | 'subscriptions.manage'
        | 'replays.read'
        | 'replays.manage'
      )[];
    };
    PortalLinkList: {
      /** @description Pass it as `cursor` to get the next page. Null on the last page. */
      nextCursor: string | null;
      portalLinks: components['schemas']['PortalLink'][];
    };
    PortalSession: {
      /** @description Send it as `Authorization: Bearer …`. */
      accessToken: string;
      branding: {
        color: string | null;
        displayName: string | null;
        logoUrl: string | null;
        textColor: string | null;
      };
      /** @description If not null, requests for deliveries and replays must name one of these channels in `scope`. */
      channelIds: string[] | null;
      /** Format: date-time */
      expiresAt: string;
      organization: {
        /** @description The organization. */
        id: string;
        name: string;
      };
      rights: (
        | 'channels.read'
        | 'deliveries.read'
        | 'deliveries.retry'
        | 'subscriptions.read'
        | 'subscriptions.manage'
        | 'replays.read'
        | 'replays.manage'
      )[];
      workspace: {
        /** @description The workspace. */
        id: string;
        name: string;
      };
    };
    PortalSessionInput: {
      /** @description The portal link. */
      portalLinkId: string;
      /** @description The part of the link's URL after `#`. */
      secret: string;
    };
    ProtectedResource: {
      bearer_methods_supported: 'header'[];
      /** Format: uri */
      resource: string;
      /** Format: uri */
      resource_documentation: string;
      resource_name: string;
      scopes_supported: (
        | 'workspace.read'
        | 'workspace.manage'
        | 'channel.read'
        | 'channel.manage'
        | 'channel.reveal'
        | 'channel.connect'
        | 'webhook.manage'
        | 'messages.read'
        | 'message.send'
        | 'deliveries.read'
        | 'deliveries.replay'
        | 'credentials.manage'
      )[];
    };
    Readiness: {
      /** @enum {string} */
      database: 'ok' | 'unreachable' | 'not_migrated';
      /** @enum {string} */
      status: 'ready' | 'not_ready';
      /**
       * @description For information: events are accepted in every state. `refused`: the server does not accept the credential. `namespace_foreign`: the namespace belongs to another installation. At most five seconds old.
       * @enum {string}
       */
      temporal: 'ok' | 'unreachable' | 'refused' | 'namespace_missing' | 'namespace_foreign';
    };
    RefreshedSession: {
      /** @description A JWT for the Authorization header. */
      accessToken: string;
      /** @description Seconds until the access token expires. */
      expiresIn: number;
      /** @description Valid for one refresh. Using it again ends the session. */
      refreshToken: string;
      /** @constant */
      tokenType: 'Bearer';
    };
    Replay: {
      channelIds: string[] | null;
      /** Format: date-time */
      createdAt: string;
      /** @description New deliveries that were delivered. */
      delivered: number;
      destination: string | null;
      endedAt: string | null;
      eventTypes:
        | (
            | 'chatapp.message.received'
            | 'chatapp.message.status'
            | 'photoapp.message.received'
            | 'photoapp.comment.received'
            | 'pageapp.message.received'
            | 'pageapp.message.reaction'
            | 'pageapp.message.read'
            | 'pageapp.message.delivered'
            | 'pageapp.postback.received'
            | 'pageapp.comment.received'
            | 'pageapp.post.changed'
            | 'chatapp.other.received'
            | 'photoapp.other.received'
            | 'pageapp.other.received'
          )[]
        | null;
      /** @description New deliveries that ended otherwise, and events that no longer exist. */
      failed: number;
      httpStatuses: string[] | null;
      /** @description Number of planned events. While the status is `planning`, the count at the start. */
      matched: number;
      originalDestinations: string[] | null;
      ratePerSecond: number;
      /** @description The replay. */
      replayId: string;
      /** @description `channel:<id>`, `workspace:<id>` or `organization:<id>`. */
      scope: string;
      /** @description The other filters of the request. Their texts are not kept: they may identify a person. */
      selectedBy: ('search' | 'sender' | 'platformMessageId')[];
      /** @description Number of new deliveries. */
      sent: number;
      /** Format: date-time */
      since: string;
      /** @description When the plan was complete and sending started. */
      startedAt: string | null;
      /** @enum {string} */
      status: 'planning' | 'running' | 'paused' | 'completed' | 'cancelled';
      statuses: ('pending' | 'retrying' | 'delivered' | 'exhausted' | 'cancelled' | 'skipped')[];
      /** Format: date-time */
      until: string;
      /** @description New deliveries that are pending or retrying. */
      waiting: number;
      workflowId: string;
    };
    ReplayList: {
      /** @description Pass it as `cursor` to get the next page. Null on the last page. */
      nextCursor: string | null;
      replays: components['schemas']['Replay'][];
    };
    ReplayStarted: {
      /** @description False if `matched` is a lower bound: at most 100000 events are counted, and not all deliveries of a very long time are compared. The replay sends all of them. */
      isCountComplete: boolean;
      /** @description Number of events to send, counted once per destination. */
      matched: number;
      /** @description Maximum number of events per second. Lower than requested if the destination is unverified. */
      ratePerSecond: number;
      /** @description Null for a dry run. */
      replayId: string | null;
      /** @description Subscriptions that receive at most 10 events per second and host, because no verified webhook of the organization has their origin. Set a webhook with that origin to verify them. */
      unverifiedDestinations: number;
    };
    RevealedApiKey: {
      apiKey: string;
      /** @description The key. */
      keyId: string;
    };
    RevealedRotation: {
      /** @description The channel. */
      channelId: string;
      /** @description Why the rotation failed, or null. */
      code:
        | (
            | 'VALIDATION_ERROR'
            | 'MALFORMED_JSON'
            | 'UNSUPPORTED_MEDIA_TYPE'
            | 'PAYLOAD_TOO_LARGE'
            | 'HEADERS_TOO_LARGE'
            | 'REQUEST_TIMEOUT'
            | 'AUTH_REQUIRED'
            | 'MISSING_BEARER'
            | 'CREDENTIAL_NOT_ACCEPTED_HERE'
            | 'FORBIDDEN'
            | 'AGENT_SCOPE_INSUFFICIENT'
            | 'AGENT_KEY_REVOKE_SELF_ONLY'
            | 'WORKSPACE_ORG_MISMATCH'
            | 'ADDRESS_NOT_ALLOWED'
            | 'PAGEAPP_SCOPE_DENIED'
            | 'PAGEAPP_SCOPE_MISSING'
            | 'ACCOUNT_RESTRICTED'
            | 'WORKSPACE_NOT_FOUND'
            | 'CHANNEL_NOT_FOUND'
            | 'SUBSCRIPTION_NOT_FOUND'
            | 'LISTENER_NOT_FOUND'
            | 'DELIVERY_NOT_FOUND'
            | 'CONTAINER_NOT_FOUND'
            | 'ORGANIZATION_NOT_FOUND'
            | 'INVITATION_NOT_FOUND'
            | 'MEMBER_NOT_FOUND'
            | 'REGISTRATION_NOT_FOUND'
            | 'CREDENTIAL_NOT_FOUND'
            | 'ONBOARDING_LINK_NOT_FOUND'
            | 'REPLAY_NOT_FOUND'
            | 'ROLLOUT_NOT_FOUND'
            | 'ALERT_NOT_FOUND'
            | 'EVENT_NOT_FOUND'
            | 'ERASURE_NOT_FOUND'
            | 'SCHEDULED_MESSAGE_NOT_FOUND'
            | 'SCHEDULED_POST_NOT_FOUND'
            | 'PORTAL_LINK_NOT_FOUND'
            | 'ROUTE_NOT_FOUND'
            | 'METHOD_NOT_ALLOWED'
            | 'CHANNEL_DISCONNECTED'
            | 'CREDENTIAL_REFUSED'
            | 'CHANNEL_ALREADY_CONNECTED'
            | 'EXTERNAL_ID_TAKEN'
            | 'LIMIT_REACHED'
            | 'LAST_ADMIN'
            | 'LAST_WORKSPACE'
            | 'CHANNEL_TYPE_MISMATCH'
            | 'CHANNEL_FORWARDING_DISABLED'
            | 'WEBHOOK_CONFIG_CHANGED'
            | 'CONTAINER_NOT_READY'
            | 'CONTAINER_EXPIRED'
            | 'CONTAINER_FAILED'
            | 'WEBHOOK_NOT_SET'
            | 'SUBSCRIPTION_CHANGED'
            | 'IDEMPOTENCY_KEY_REUSED'
            | 'DELIVERY_ALREADY_DELIVERED'
            | 'DELIVERY_ENDED'
            | 'REPLAY_ENDED'
            | 'DEFAULT_WEBHOOK_NOT_SET'
            | 'ROLLOUT_RUNNING'
            | 'ROLLOUT_ENDED'
            | 'ALERT_RESOLVED'
            | 'EVENT_ERASED'
            | 'ANSWER_ERASED'
            | 'MESSAGE_NOT_SCHEDULED'
            | 'ALERT_WEBHOOK_NOT_SET'
            | 'POST_NOT_SCHEDULED'
            | 'MESSAGING_WINDOW_CLOSED'
            | 'CONVERSATION_HELD_ELSEWHERE'
            | 'REPLY_ALREADY_SENT'
            | 'DUPLICATE_POST'
            | 'NUMBER_NOT_REGISTERED'
            | 'IDEMPOTENCY_KEY_IN_USE'
            | 'OTP_EXPIRED'
            | 'WEBHOOK_URL_VERIFICATION_FAILED'
            | 'URL_NOT_ALLOWED'
            | 'READ_TOO_SLOW'
            | 'OTP_INVALID'
            | 'RECIPIENT_UNREACHABLE'
            | 'MESSAGE_WITHHELD'
            | 'TEMPLATE_REJECTED'
            | 'MEDIA_REJECTED'
            | 'RATE_LIMITED'
            | 'OTP_LOCKED'
            | 'PUBLISH_QUOTA_EXCEEDED'
            | 'PLATFORM_RATE_LIMITED'
            | 'RECIPIENT_RATE_LIMITED'
            | 'INTERNAL'
            | 'BODY_UNREADABLE'
            | 'PLATFORM_REJECTED'
            | 'SERVICE_UNAVAILABLE'
            | 'PLATFORM_UNAVAILABLE'
            | 'WORKFLOW_UNAVAILABLE'
            | 'PLATFORM_OUTCOME_UNKNOWN'
          )
        | null;
      /** @description When the previous secret expires; null if it has expired. */
      endsAt: string | null;
      /**
       * @description The gateway token, the signing secret or the verify token.
       * @enum {string}
       */
      kind: 'token' | 'webhook_secret' | 'verify_token';
      /**
       * @description `rotated`: a new secret replaced it. `ended`: the own token of an agent or a limited key, which has no successor. `needs_save`: the verify token of a webhook; save it with another one. `failed`: see `code`.
       * @enum {string}
       */
      status: 'rotated' | 'ended' | 'needs_save' | 'failed';
    };
    RevealedRotationInput: {
      /** @description Filters by channel; all channels by default. */
      channels?: string[];
      /** @description How long the previous secrets stay valid; 3600 by default. 0 revokes them immediately. */
      overlapSeconds?: number;
    };
    RevealedRotationList: {
      /** @description Secrets beyond the 50 that one request rotates. Repeat the request until it is 0. */
      remaining: number;
      rotations: components['schemas']['RevealedRotation'][];
    };
    RotatedAlertWebhookSecret: {
      /** @description The organization. */
      organizationId: string;
      /** @description When the previous secret expires; null if it was revoked immediately. */
      previousSecretExpiresAt: string | null;
      /** @description Shown once. */
      secret: string;
    };
    RotatedToken: {
      /**
       * Format: uri
       * @description The gateway's URL with the platform's API version for this channel type.
       */
      baseUrl: string;
      /** @description The end of the key that holds the token. Null if the token is valid until it is rotated. */
      expiresAt: string | null;
      /** @description When the previous token expires; null if it has expired or did not exist. */
      previousTokenExpiresAt: string | null;
      /** @description The scopes of the own token of an agent or a limited key. Null for the token that people and full keys share. */
      scopes: ('channel.read' | 'channel.manage' | 'messages.read' | 'message.send')[] | null;
      /** @description Gives access to this channel at the gateway, and to nothing else. */
      token: string;
      /** @description The first 14 characters. */
      tokenPrefix: string;
      /** @description The last 4 characters. */
      tokenSuffix: string;
    };
    RotatedWebhookHmac: {
      /** @description The channel. */
      channelId: string;
      /** @description The secret that signs deliveries (WEBHOOK_HMAC_SECRET). */
      hmacSecret: string;
      /** @description When the previous secret expires; null if it was revoked immediately. */
      previousSecretExpiresAt: string | null;
    };
    SavedAlertWebhook: {
      createdAt: string | null;
      enabled: boolean;
      /** @description Null for all kinds. */
      kinds:
        | (
            | 'destination.circuit_open'
            | 'destination.disabled'
            | 'deliveries.notSettling'
            | 'deliveries.exhausted'
            | 'channel.disconnected'
            | 'credential.refused'
            | 'credential.expiring'
            | 'channel.health'
            | 'container.failed'
            | 'container.unknown'
            | 'scheduledMessage.failed'
            | 'scheduledPost.failed'
            | 'defaultWebhook.failed'
            | 'replay.failed'
          )[]
        | null;
      /** @description The call that was last attempted, also a test. */
      lastDelivery: components['schemas']['AlertWebhookDelivery'] | null;
      /** @enum {string} */
      minSeverity: 'warning' | 'critical';
      /** @description The organization. */
      organizationId: string;
      /** @description Until then, calls also carry the signature of the previous secret. */
      previousSecretExpiresAt: string | null;
      /** @description The secret that signs the calls, shown once: null unless this call created the webhook. */
      secret: string | null;
      updatedAt: string | null;
      /** @description Null if no alert webhook is set. */
      url: string | null;
    };
    ScheduledByKey: {
      /** @description The scheduled messages. At most 10000 are counted. */
      messageCount: number;
      /** @description The scheduled posts. At most 10000 are counted. */
      postCount: number;
      /** @description The first 100, by the time at which they are due. */
      scheduled: components['schemas']['ScheduledRecord'][];
    };
    ScheduledCancellation: {
      /** @description The channel. */
      channelId: string;
      /**
       * Format: date-time
       * @description When it is sent or published.
       */
      dueAt: string;
      /** @description The scheduled message (sm_) or the scheduled post (sp_). */
      id: string;
      /** @enum {string} */
      kind: 'message' | 'post';
      /**
       * @description `too_late`: the send or the container has begun, or the record has ended.
       * @enum {string}
       */
      outcome: 'cancelled' | 'too_late';
      /** @description The workspace in which it was scheduled. */
      workspaceId: string;
    };
    ScheduledCancellationList: {
      cancellations: components['schemas']['ScheduledCancellation'][];
      /** @description What is still scheduled beyond the 100 that one request cancels. Repeat the request until it is 0. */
      remaining: number;
    };
    ScheduledMessage: {
      /** @description The channel. */
      channelId: string;
      /** Format: date-time */
      createdAt: string;
      /** @description The credential that scheduled it. */
      createdBy: string;
      endedAt: string | null;
      /** @description The content. Null in lists, and once the message has ended: it is erased then. */
      message: {
        [key: string]: unknown;
      } | null;
      platformMessageId: string | null;
      /** @description Why it ended as `failed` or `unknown`. */
      reason:
        | (
            | 'too_late'
            | 'channel_disconnected'
            | 'channel_moved'
            | 'not_allowed'
            | 'refused'
            | 'outcome_unknown'
            | 'restored'
          )
        | null;
      /** @description Null once the message has ended. */
      recipient: string | null;
      /** @description What the platform's last refusal means, as an error code: a direct call would have been answered with it. Null without a refusal. */
      refusalCode:
        | (
            | 'PLATFORM_RATE_LIMITED'
            | 'RECIPIENT_RATE_LIMITED'
            | 'PUBLISH_QUOTA_EXCEEDED'
            | 'MESSAGING_WINDOW_CLOSED'
            | 'RECIPIENT_UNREACHABLE'
            | 'MESSAGE_WITHHELD'
            | 'CONVERSATION_HELD_ELSEWHERE'
            | 'REPLY_ALREADY_SENT'
            | 'DUPLICATE_POST'
            | 'TEMPLATE_REJECTED'
            | 'MEDIA_REJECTED'
            | 'ACCOUNT_RESTRICTED'
            | 'NUMBER_NOT_REGISTERED'
            | 'PAGEAPP_SCOPE_MISSING'
            | 'CREDENTIAL_REFUSED'
            | 'CONTAINER_NOT_READY'
            | 'CONTAINER_EXPIRED'
            | 'CONTAINER_FAILED'
            | 'VALIDATION_ERROR'
            | 'PLATFORM_REJECTED'
            | 'PLATFORM_UNAVAILABLE'
            | 'PLATFORM_OUTCOME_UNKNOWN'
          )
        | null;
      /** @description The scheduled message. */
      scheduledMessageId: string;
      /**
       * Format: date-time
       * @description A message that can't be sent within 60 minutes of this time ends as `failed`.
       */
      sendAt: string;
      /**
       * @description It can be changed and cancelled while `scheduled`. With `unknown`, it may have been sent: the answer was lost, and it is never sent again.
       * @enum {string}
       */
      status: 'scheduled' | 'sending' | 'sent' | 'failed' | 'unknown' | 'cancelled';
      statusDetail: string | null;
    };
    ScheduledMessageChange: {
      message?: components['schemas']['MessageInput'];
      /**
       * Format: date-time
       * @description When to send it, at most 90 days ahead, in UTC.
       */
      sendAt?: string;
    };
    ScheduledMessageInput: {
      message: components['schemas']['MessageInput'];
      /**
       * Format: date-time
       * @description When to send it, at most 90 days ahead, in UTC.
       */
      sendAt: string;
    };
    ScheduledMessageList: {
      /** @description Pass it as `cursor` to get the next page. Null on the last page. */
      nextCursor: string | null;
      scheduledMessages: components['schemas']['ScheduledMessage'][];
    };
    ScheduledPost: {
      /** @description The channel. */
      channelId: string;
      /** @description The request for the media container. Null once the post has failed or was cancelled. */
      container: {
        [key: string]: unknown;
      } | null;
      /** @description Null until the post has started. */
      containerId: string | null;
      /** Format: date-time */
      createdAt: string;
      /** @description The credential that scheduled it. */
      createdBy: string;
      endedAt: string | null;
      /**
       * Format: date-time
       * @description A post that can't be started within 60 minutes of this time ends as `failed`.
       */
      publishAt: string;
      /** @description Why it ended as `failed`. */
      reason: ('too_late' | 'channel_disconnected' | 'channel_moved' | 'restored') | null;
      /** @description The scheduled post. */
      scheduledPostId: string;
      /**
       * @description It can be changed and cancelled while `scheduled`. With `started`, it is a media container: read that for the outcome.
       * @enum {string}
       */
      status: 'scheduled' | 'started' | 'failed' | 'cancelled';
      statusDetail: string | null;
    };
    ScheduledPostChange: {
      container?: components['schemas']['MediaContainerInput'];
      /**
       * Format: date-time
       * @description When to publish it, at most 90 days ahead, in UTC.
       */
      publishAt?: string;
    };
    /**
     * @example {
     *       "publishAt": "2027-01-01T08:00:00Z",
     *       "container": {
     *         "mediaType": "IMAGE",
     *         "imageUrl": "https://media.example.com/1.jpg",
     *         "autoPublish": true
     *       }
     *     }
     */
    ScheduledPostInput: {
      container: components['schemas']['MediaContainerInput'];
      /**
       * Format: date-time
       * @description When to publish it, at most 90 days ahead, in UTC.
       */
      publishAt: string;
    };
    ScheduledPostList: {
      /** @description Pass it as `cursor` to get the next page. Null on the last page. */
      nextCursor: string | null;
      scheduledPosts: components['schemas']['ScheduledPost'][];
    };
    ScheduledRecord: {
      /** @description The channel. */
      channelId: string;
      /**
       * Format: date-time
       * @description When it is sent or published.
       */
      dueAt: string;
      /** @description The scheduled message (sm_) or the scheduled post (sp_). */
      id: string;
      /** @enum {string} */
      kind: 'message' | 'post';
      /** @description The workspace in which it was scheduled. */
      workspaceId: string;
    };
    SecretReveal: {
      /** @description The channel. */
      channelId: string;
      /** @description Whether this secret is still in use, so that you should rotate it. */
      current: boolean;
      /** @description Name of the channel. */
      displayName: string;
      /** @description When a rotated secret expires. Null if the secret is current or has expired. */
      endsAt: string | null;
      /** Format: date-time */
      firstRevealedAt: string;
      /**
       * @description The gateway token, the signing secret or the verify token.
       * @enum {string}
       */
      kind: 'token' | 'webhook_secret' | 'verify_token';
      /** Format: date-time */
      lastRevealedAt: string;
      revealCount: number;
      /** @description The reader: a person (usr_), an API key (key_) or an agent credential (ac_). */
      revealedTo: string;
      /** @description The workspace that holds the channel. */
      workspaceId: string;
    };
    SecretRevealList: {
      /** @description Pass it as `cursor` to get the next page. Null on the last page. */
      nextCursor: string | null;
      reveals: components['schemas']['SecretReveal'][];
    };
    SentRequest: {
      /** @description The number of the attempt. */
      attempt: number;
      /** @description SHA-256 of the bytes that were sent and signed, in hex digits. */
      bodySha256: string;
      /** @description The events of the array, in order, if the destination was debounced. Null otherwise, and if one of them is no longer stored: the header `x-service-event-count` then still has their number. */
      events:
        | {
            /** @description The number of its attempt. */
            attempt: number;
            /** @description The delivery. */
            deliveryId: string;
            /** @description The member `eventFlags` of the element, as in the header of a single event, or null. */
            eventFlags: string | null;
            /** @description Its event. */
            eventId: string;
            /** @enum {string} */
            eventType:
              | 'chatapp.message.received'
              | 'chatapp.message.status'
              | 'photoapp.message.received'
              | 'photoapp.comment.received'
              | 'pageapp.message.received'
              | 'pageapp.message.reaction'
              | 'pageapp.message.read'
              | 'pageapp.message.delivered'
              | 'pageapp.postback.received'
              | 'pageapp.comment.received'
              | 'pageapp.post.changed'
              | 'chatapp.other.received'
              | 'photoapp.other.received'
              | 'pageapp.other.received';
          }[]
        | null;
      /** @description As they were sent, with the signatures. `[redacted]` replaces the values of static headers and of `authorization`, which are not recorded. Without the headers of the connection, such as `host`. */
      headers: {
        [key: string]: string;
      };
      /** @description The URL at that time. The destination may have another one now. */
      url: string;
    };
    SentRequestList: {
      /** @description At most one for each attempt, in their order. */
      requests: components['schemas']['SentRequest'][];
    };
    SignIn: {
      /**
       * Format: date-time
       * @description When the code expires.
       */
      expiresAt: string;
      message: string;
      /** @description Send it with the code. */
      registrationId: string;
    };
    StaffAuditEntry: {
      /** @description The action, such as `channel.moved`. */
      action: string;
      actor: {
        /** @description `usr_…`, `key_…`, `ac_…`, `ptl_…`, or the name of a process. */
        id: string;
        /**
         * @description The email address of a person or of staff, the name of a key or an agent; null if it is not known.
         * @example ops@example.com
         */
        name: string | null;
        /** @enum {string} */
        type: 'user' | 'api_key' | 'agent' | 'staff' | 'portal' | 'system';
      };
      /** Format: date-time */
      at: string;
      /** @description The caller's own x-request-id. Null if none was sent, and for actions that finish after the response. */
      callerRequestId: string | null;
      clientAddress: string | null;
      organizationId: string | null;
      /** @description Email address of the owner of a staff key. */
      person: string | null;
      reason: string | null;
      /** @description The service's id of the request, as in its logs. */
      requestId: string | null;
      /** @description The affected resource. */
      targetId: string | null;
      workspaceId: string | null;
    };
    StaffAuditEntryList: {
      entries: components['schemas']['StaffAuditEntry'][];
      /** @description Pass it as `cursor` to get the next page. Null on the last page. */
      nextCursor: string | null;
    };
    StaffBulkReplayInput: {
      /** @description Filters by channel. */
      channelIds?: string[];
      /** @description Sends everything to the `webhook`, or to a subscription or a listener of the channel in `scope`. Each delivery's destination by default. */
      destination?: string;
      /** @description Whether to count the deliveries without sending them. */
      dryRun?: boolean;
      eventTypes?: (
        | 'chatapp.message.received'
        | 'chatapp.message.status'
        | 'photoapp.message.received'
        | 'photoapp.comment.received'
        | 'pageapp.message.received'
        | 'pageapp.message.reaction'
        | 'pageapp.message.read'
        | 'pageapp.message.delivered'
        | 'pageapp.postback.received'
        | 'pageapp.comment.received'
        | 'pageapp.post.changed'
        | 'chatapp.other.received'
        | 'photoapp.other.received'
        | 'pageapp.other.received'
      )[];
      /** @description Filters by the last response: `5xx`, `404` or `none`. */
      httpStatuses?: string[];
      /** @description Filters by where the deliveries went, as `destination` of the list does. */
      originalDestinations?: string[];
      /** @description The platform's id of the message. */
      platformMessageId?: string;
      /** @description Maximum number of events per second; 50 by default. */
      ratePerSecond?: number;
      /** @description The reason, which members of the organization can read in the audit log. */
      reason: string;
      /** @description `channel:<id>`, `workspace:<id>` or `organization:<id>`. */
      scope: string;
      /** @description As in the list. A text is compared with at most 20,000 deliveries. */
      search?: string;
      /** @description The sender's id at the platform. */
      sender?: string;
      /**
       * Format: date-time
       * @description Deliveries created at or after this time.
       */
      since: string;
      /** @description Deliveries that have one of these statuses when the replay is created. */
      statuses: ('pending' | 'retrying' | 'delivered' | 'exhausted' | 'cancelled' | 'skipped')[];
      /**
       * Format: date-time
       * @description Deliveries created before this time. Must be later than `since`.
       */
      until: string;
    };
    StaffDelivery: {
      /** @description How many attempts were made. */
      attemptCount: number;
      /** @description The latest 100, oldest first. */
      attempts: components['schemas']['DeliveryAttempt'][];
      /** @description Why and by whom it was cancelled. Null unless it is, and if that was before this was recorded. */
      cancellation: components['schemas']['DeliveryCancellation'] | null;
      /** @description The channel of the event. */
      channelId: string;
      /** @description The display name of the channel. */
      channelName: string;
      /**
       * Format: date-time
       * @description When the delivery was created: with its event, or later for a replay. Lists are ordered by it.
       */
      createdAt: string;
      /** @description The delivery of one event to one destination. */
      deliveryId: string;
      /** @description Null if the channel had none. */
      destination: components['schemas']['DeliveryDestination'] | null;
      /** @description When the body, the sender and the responses were erased; null if they were not. */
      erasedAt: string | null;
      /** @description The event. */
      eventId: string;
      /** @enum {string} */
      eventType:
        | 'chatapp.message.received'
        | 'chatapp.message.status'
        | 'photoapp.message.received'
        | 'photoapp.comment.received'
        | 'pageapp.message.received'
        | 'pageapp.message.reaction'
        | 'pageapp.message.read'
        | 'pageapp.message.delivered'
        | 'pageapp.postback.received'
        | 'pageapp.comment.received'
        | 'pageapp.post.changed'
        | 'chatapp.other.received'
        | 'photoapp.other.received'
        | 'pageapp.other.received';
      /** @description The earliest time of the next attempt: by the retry schedule, or by the next probe of an open circuit if that is later. */
      nextAttemptAt: string | null;
      /** @description The organization. */
      organizationId: string;
      organizationName: string;
      /** @description The stored body, which is signed and sent, as UTF-8. */
      payload: string;
      platformMessageId: string | null;
      /**
       * Format: date-time
       * @description When the event was received.
       */
      receivedAt: string;
      /** @description Null if no bulk replay created it. A delivery that was replayed individually has only `replayOf`. */
      replayId: string | null;
      /** @description Null unless it is a replay. */
      replayOf: string | null;
      sender: string | null;
      skipReason: ('forwarding_disabled' | 'no_destination' | 'destination_disabled') | null;
      /** @enum {string} */
      status: 'pending' | 'retrying' | 'delivered' | 'exhausted' | 'cancelled' | 'skipped';
      /** @description The workflow in the Temporal UI, or null. */
      temporalUrl: string | null;
      /** @description The trace of the event, to quote to support; null if the event is not sampled. */
      traceId: string | null;
      /** @description The open circuit of the destination that holds the delivery back, or null. */
      waitsForCircuit: components['schemas']['CircuitAhead'] | null;
      /** @description The workflow that retries the delivery; null before its third failure. */
      workflowId: string | null;
      /** @description The workspace of the channel when the event was received. */
      workspaceId: string;
    };
    StaffDeliveryList: {
      deliveries: components['schemas']['StaffDeliverySummary'][];
      /** @description Pass it as `cursor` to get the next page. A page can be empty and still have a next page, because each page scans a bounded number of records. */
      nextCursor: string | null;
    };
    StaffDeliverySummary: {
      /** @description How many attempts were made. */
      attemptCount: number;
      /** @description Why and by whom it was cancelled. Null unless it is, and if that was before this was recorded. */
      cancellation: components['schemas']['DeliveryCancellation'] | null;
      /** @description The channel of the event. */
      channelId: string;
      /** @description The display name of the channel. */
      channelName: string;
      /**
       * Format: date-time
       * @description When the delivery was created: with its event, or later for a replay. Lists are ordered by it.
       */
      createdAt: string;
      /** @description The delivery of one event to one destination. */
      deliveryId: string;
      /** @description Null if the channel had none. */
      destination: components['schemas']['DeliveryDestination'] | null;
      /** @description When the body, the sender and the responses were erased; null if they were not. */
      erasedAt: string | null;
      /** @description The event. */
      eventId: string;
      /** @enum {string} */
      eventType:
        | 'chatapp.message.received'
        | 'chatapp.message.status'
        | 'photoapp.message.received'
        | 'photoapp.comment.received'
        | 'pageapp.message.received'
        | 'pageapp.message.reaction'
        | 'pageapp.message.read'
        | 'pageapp.message.delivered'
        | 'pageapp.postback.received'
        | 'pageapp.comment.received'
        | 'pageapp.post.changed'
        | 'chatapp.other.received'
        | 'photoapp.other.received'
        | 'pageapp.other.received';
      /** @description The earliest time of the next attempt: by the retry schedule, or by the next probe of an open circuit if that is later. */
      nextAttemptAt: string | null;
      /** @description The organization. */
      organizationId: string;
      organizationName: string;
      platformMessageId: string | null;
      /**
       * Format: date-time
       * @description When the event was received.
       */
      receivedAt: string;
      /** @description Null if no bulk replay created it. A delivery that was replayed individually has only `replayOf`. */
      replayId: string | null;
      /** @description Null unless it is a replay. */
      replayOf: string | null;
      sender: string | null;
      skipReason: ('forwarding_disabled' | 'no_destination' | 'destination_disabled') | null;
      /** @enum {string} */
      status: 'pending' | 'retrying' | 'delivered' | 'exhausted' | 'cancelled' | 'skipped';
      /** @description The workflow in the Temporal UI, or null. */
      temporalUrl: string | null;
      /** @description The trace of the event, to quote to support; null if the event is not sampled. */
      traceId: string | null;
      /** @description The open circuit of the destination that holds the delivery back, or null. */
      waitsForCircuit: components['schemas']['CircuitAhead'] | null;
      /** @description The workflow that retries the delivery; null before its third failure. */
      workflowId: string | null;
      /** @description The workspace of the channel when the event was received. */
      workspaceId: string;
    };
    StaffReplay: {
      channelIds: string[] | null;
      /** Format: date-time */
      createdAt: string;
      /** @description New deliveries that were delivered. */
      delivered: number;
      destination: string | null;
      endedAt: string | null;
      eventTypes:
        | (
            | 'chatapp.message.received'
            | 'chatapp.message.status'
            | 'photoapp.message.received'
            | 'photoapp.comment.received'
            | 'pageapp.message.received'
            | 'pageapp.message.reaction'
            | 'pageapp.message.read'
            | 'pageapp.message.delivered'
            | 'pageapp.postback.received'
            | 'pageapp.comment.received'
            | 'pageapp.post.changed'
            | 'chatapp.other.received'
            | 'photoapp.other.received'
            | 'pageapp.other.received'
          )[]
        | null;
      /** @description New deliveries that ended otherwise, and events that no longer exist. */
      failed: number;
      httpStatuses: string[] | null;
      /** @description Number of planned events. While the status is `planning`, the count at the start. */
      matched: number;
      /** @description The organization of its deliveries. */
      organizationId: string;
      originalDestinations: string[] | null;
      ratePerSecond: number;
      /** @description The replay. */
      replayId: string;
      /** @description `channel:<id>`, `workspace:<id>` or `organization:<id>`. */
      scope: string;
      /** @description The other filters of the request. Their texts are not kept: they may identify a person. */
      selectedBy: ('search' | 'sender' | 'platformMessageId')[];
      /** @description Number of new deliveries. */
      sent: number;
      /** Format: date-time */
      since: string;
      /** @description When the plan was complete and sending started. */
      startedAt: string | null;
      /** @enum {string} */
      status: 'planning' | 'running' | 'paused' | 'completed' | 'cancelled';
      statuses: ('pending' | 'retrying' | 'delivered' | 'exhausted' | 'cancelled' | 'skipped')[];
      /** @description The workflow in the Temporal UI; null if no UI is configured. */
      temporalUrl: string | null;
      /** Format: date-time */
      until: string;
      /** @description New deliveries that are pending or retrying. */
      waiting: number;
      workflowId: string;
      workspaceId: string | null;
    };
    StaffReplayInput: {
      /** @description `webhook`, or the id of a subscription or a listener; the delivery's destination by default. */
      destination?: string;
      /** @description The reason, which members of the organization can read in the audit log. */
      reason: string;
    };
    StaffReplayList: {
      /** @description Pass it as `cursor` to get the next page. Null on the last page. */
      nextCursor: string | null;
      replays: components['schemas']['StaffReplay'][];
    };
    StaffReplayMoveInput: {
      /** @description The reason, which members of the organization can read in the audit log. */
      reason: string;
    };
    StaffRetryInput: {
      /** @description The reason, which members of the organization can read in the audit log. */
      reason: string;
    };
    StartedSession: {
      /** @description A JWT for the Authorization header. */
      accessToken: string;
      /** @description Seconds until the access token expires. */
      expiresIn: number;
      organizations: {
        name: string;
        /** @description An organization of the caller. */
        organizationId: string;
        /** @enum {string} */
        role: 'admin' | 'member';
      }[];
      /** @description Valid for one refresh. Using it again ends the session. */
      refreshToken: string;
      /** @constant */
      tokenType: 'Bearer';
      user: {
        email: string;
        /** @description The person. */
        id: string;
      };
    };
    StatisticsBucket: {
      /**
       * Format: date-time
       * @description Start of the bucket.
       */
      at: string;
      /** @description Those that are delivered. */
      delivered: number;
      /** @description Deliveries whose event was received in the bucket. */
      deliveries: number;
      /** @description Those that are exhausted. */
      failed: number;
      /** @description Their attempts that were not accepted. */
      failedAttempts: number;
      /** @description From the acceptance of the event to the end of the accepted attempt; null without any. */
      latencyMs: {
        p50: number;
        p95: number;
      } | null;
      /** @description Those that are waiting. */
      waiting: number;
    };
    SubscriptionAnswer: {
      subscription: components['schemas']['EventSubscription'];
    };
    TestEvent: {
      /** @description Null if it was not sent. */
      attempt: components['schemas']['DeliveryAttempt'] | null;
      /** @description The channel. */
      channelId: string;
      /** Format: date-time */
      createdAt: string;
      /** @description The id in the headers. `GET /channels/{ch}/test-events/{wd}` returns the record. */
      deliveryId: string;
      /** @description The id in the header. */
      eventId: string;
      /** @enum {string} */
      eventType:
        | 'chatapp.message.received'
        | 'chatapp.message.status'
        | 'photoapp.message.received'
        | 'photoapp.comment.received'
        | 'pageapp.message.received'
        | 'pageapp.message.reaction'
        | 'pageapp.message.read'
        | 'pageapp.message.delivered'
        | 'pageapp.postback.received'
        | 'pageapp.comment.received'
        | 'pageapp.post.changed'
        | 'chatapp.other.received'
        | 'photoapp.other.received'
        | 'pageapp.other.received';
      /**
       * @description Counts in no statistics and affects no circuit.
       * @constant
       */
      isTest: true;
      /** @description The sample event. Its ids begin with `test`. */
      payload: string;
      subscriptionId: string | null;
      /** Format: uri */
      url: string;
    };
    TestEventList: {
      /** @description Pass it as `cursor` to get the next page. Null on the last page. */
      nextCursor: string | null;
      testEvents: components['schemas']['TestEvent'][];
    };
    TokenRotationInput: {
      /** @description How long the previous token stays valid; 3600 by default. 0 revokes it immediately. An earlier overlap ends immediately. */
      overlapSeconds?: number;
    };
    TroubledDestination: {
      /** @description The channel. */
      channelId: string;
      /** @example Sunrise Bakery */
      channelName: string;
      /**
       * @description `webhook`, or the id of a subscription.
       * @example webhook
       */
      destination: string;
      label: string | null;
      /** @description Null if no recent delivery failed. */
      lastFailure: components['schemas']['OverviewFailure'] | null;
      reason: ('gone' | 'failing' | 'by_hand' | 'failures' | 'retry_after') | null;
      /** @description When it began; null if it is not known. */
      since: string | null;
      /**
       * @description `failing`: the last attempts failed. `circuit_open`: deliveries wait until a probe succeeds. `disabled`: events are skipped. `not_settling`: the service cannot record what the receiver answered.
       * @enum {string}
       */
      state: 'failing' | 'circuit_open' | 'disabled' | 'not_settling';
      /** @example https://example.com/hooks */
      url: string;
      /** @description The workspace of the channel. */
      workspaceId: string;
    };
    TypingInput: {
      /** @description The message that you answer, which is marked as read. Required on chatapp channels. */
      messageId?: string;
      /** @description The recipient. Required on photoapp and pageapp channels. */
      to?: string;
    };
    TypingShown: {
      /** @description The channel. */
      channelId: string;
      typing: boolean;
    };
    UnroutedEventList: {
      events: {
        /** Format: date-time */
        receivedAt: string;
        resourceId: string;
        /** @description When staff sent it on to a channel, or null. */
        sentAt: string | null;
        sizeBytes: number;
        /** @description The product; empty if it is unknown. */
        type: string;
      }[];
      /** @description Pass it as `cursor` to get the next page. Null on the last page. */
      nextCursor: string | null;
    };
    UnroutedSendInput: {
      /** @description The previous `nextCursor`. Omit it to begin with the oldest event. */
      cursor?: string;
      /** @description Events to read at most; 100 by default. */
      limit?: number;
      /** @description The reason, which members of the organization can read in the audit log. */
      reason: string;
    };
    UnroutedSent: {
      /** @description The channel. */
      channelId: string;
      /** @description Whether more events are left. Call it again with `nextCursor`. */
      hasMore: boolean;
      /** @description Pass it as `cursor` to continue after the events of this call. Null if none are left. */
      nextCursor: string | null;
      /** @description Events that the channel accepted, or had accepted before. */
      sentCount: number;
      /** @description Events that could not be decrypted or that the channel did not accept. They stay for later calls. */
      skippedCount: number;
    };
    Usage: {
      /** @description What happened later may not be counted yet. Null while the first count runs. */
      countedUntil: string | null;
      /** @description False if more than 5000 rows match; the newest are missing. */
      isComplete: boolean;
      /** Format: date */
      since: string;
      /**
       * Format: date
       * @description The day after the last one.
       */
      until: string;
      /** @description Oldest first. Days without any use are left out. */
      usage: components['schemas']['UsageRow'][];
    };
    UsageRow: {
      /** @description Attempts to deliver, by the day on which they began. */
      attempts: number;
      channelId: string | null;
      /**
       * Format: date
       * @description The day, or the first day of the month, in UTC.
       */
      day: string;
      /** @description Deliveries that were created, including skipped ones and replays. */
      deliveries: number;
      /** @description Events that the platform sent, without repetitions. */
      events: number;
      /** @description Posts that the platform published, from the API and the gateway. */
      publishes: number;
      /** @description Messages that the platform accepted, from the API and the gateway. */
      sends: number;
      workspaceId: string | null;
    };
    WebhookConfig: {
      /** @description The channel. */
      channelId: string;
      /** @description Why nothing is sent: the receiver answered 410 twice (`gone`), it failed for days without any success (`failing`), or a person disabled it (`by_hand`). Null if it is enabled. */
      disabledReason: ('gone' | 'failing' | 'by_hand') | null;
      /** @description What the probes of the last finished save found, also if it was refused. Null if there was none within the retention period. */
      lastVerification: components['schemas']['WebhookVerification'] | null;
      updatedAt: string | null;
      /** @description When both probes last passed. */
      verifiedAt: string | null;
      /** @description Every channel has one. Null for callers who cannot see secrets and did not send it. */
      verifyToken: string | null;
      /** @description Null if no webhook is set. */
      webhookUrl: string | null;
    };
    WebhookConfigInput: {
      /** @description Used only by the ownership probe. Default: the channel's verify token. */
      verifyToken?: string & (unknown & unknown);
      /** Format: uri */
      webhookUrl: string;
    };
    WebhookHmac: {
      /** @description The channel. */
      channelId: string;
      /** @description The secret that signs deliveries (WEBHOOK_HMAC_SECRET). */
      hmacSecret: string;
    };
    WebhookHmacRotationInput: {
      /**
       * @description How long deliveries also carry the signature of the previous secret. 0 revokes it immediately.
       * @default 0
       */
      overlapSeconds: number;
    };
    WebhookProbe: {
      /** @description Null if the probe was not sent. */
      durationMs: number | null;
      /** @description Why there was no response. */
      error: string | null;
      /** @description The expected response, in words. */
      expected: string;
      /** @description What was wrong, in words; null if the probe passed. */
      found: string | null;
      /**
       * @description `rejected`: the response was not the expected one. `no_response`: there was none.
       * @enum {string}
       */
      outcome: 'passed' | 'rejected' | 'no_response' | 'not_sent';
      /**
       * @description The method. The POST is sent only if the GET passed.
       * @enum {string}
       */
      probe: 'GET' | 'POST';
      /** @description The first 120 characters of an unexpected response, with white space collapsed and the Verify Token masked. */
      responseBody: string | null;
      /** @description HTTP status of the response; null without a response. */
      status: number | null;
    };
    WebhookRollout: {
      /** @description Channels that got the default, or would get it in a dry run. */
      applied: number;
      /** @description The new channel; null for all channels. */
      channelId: string | null;
      /** Format: date-time */
      createdAt: string;
      dryRun: boolean;
      endedAt: string | null;
      failed: number;
      replaceOwn: boolean;
      /** @description The rollout. */
      rolloutId: string;
      skipped: number;
      /** @enum {string} */
      status: 'running' | 'completed' | 'cancelled';
      /** @description Channels that were connected when the rollout was created. */
      total: number;
      /**
       * @description `requested`: applied to all channels. `connected`: a new channel gets the default.
       * @enum {string}
       */
      trigger: 'requested' | 'connected';
      /** @description Channels that already had the same URL and Verify Token. */
      unchanged: number;
      /** Format: uri */
      webhookUrl: string;
      workflowId: string;
      /** @description Null for a rollout of the organization's default. */
      workspaceId: string | null;
    };
    WebhookRolloutInput: {
      /**
       * @description Whether to record what would happen to each channel, without probes or changes.
       * @default false
       */
      dryRun: boolean;
      /**
       * @description Whether to replace the webhooks that channels have of their own.
       * @default false
       */
      replaceOwn: boolean;
    };
    WebhookRolloutList: {
      /** @description Pass it as `cursor` to get the next page. Null on the last page. */
      nextCursor: string | null;
      rollouts: components['schemas']['WebhookRollout'][];
    };
    WebhookRolloutResult: {
      /** @description The channel. */
      channelId: string;
      /** Format: date-time */
      createdAt: string;
      /** @description Which probe failed, what it expected and what it got. */
      detail: string | null;
      /** @description Null if the channel has moved out of the workspace of the rollout. */
      displayName: string | null;
      /** @enum {string} */
      outcome: 'applied' | 'unchanged' | 'skipped' | 'failed';
      /** @description Null for `applied` and `unchanged`. */
      reason:
        | (
            | 'own_webhook'
            | 'workspace_default'
            | 'webhook_changed'
            | 'default_changed'
            | 'channel_disconnected'
            | 'channel_moved'
            | 'verification_failed'
            | 'url_not_allowed'
            | 'save_unanswered'
          )
        | null;
      /** @description The channel's workspace, or the workspace of the rollout. */
      workspaceId: string;
    };
    WebhookRolloutResultList: {
      /** @description Pass it as `cursor` to get the next page. Null on the last page. */
      nextCursor: string | null;
      results: components['schemas']['WebhookRolloutResult'][];
    };
    WebhookVerification: {
      /**
       * Format: date-time
       * @description When the save was requested.
       */
      at: string;
      /** @description The message of the error; null if it was saved. */
      failure: string | null;
      /** @description Whether the URL was saved. */
      ok: boolean;
      /** @description The result of each probe, in order. Empty if the address was refused before. */
      probes: components['schemas']['WebhookProbe'][];
      /** Format: uri */
      url: string;
    };
    WholeWorkspace: {
      /** @description Connected channels. */
      channelCount: number;
      /** Format: date-time */
      createdAt: string;
      /** @description The organization's id for a customer. */
      externalId: string | null;
      /** @description The workspace. */
      id: string;
      /** @enum {string} */
      kind: 'team' | 'customer';
      /** @description Members of the workspace, without the organization's admins unless they are members. */
      memberCount: number;
      name: string;
      /** @description The organization. */
      organizationId: string;
      /**
       * @description The caller's role in the workspace.
       * @enum {string}
       */
      role: 'member' | 'developer' | 'admin';
    };
    Workspace: {
      /** Format: date-time */
      createdAt: string;
      /** @description The organization's id for a customer. */
      externalId: string | null;
      /** @description The workspace. */
      id: string;
      /** @enum {string} */
      kind: 'team' | 'customer';
      name: string;
      /** @description The organization. */
      organizationId: string;
    };
    WorkspaceInput: {
      /** @description The organization's id for a customer, unique among its customers. */
      externalId?: string;
      /** @enum {string} */
      kind: 'team' | 'customer';
      name: string;
    };
    WorkspaceList: {
      /** @description Pass it as `cursor` to get the next page. Null on the last page. */
      nextCursor: string | null;
      workspaces: components['schemas']['Workspace'][];
    };
    WorkspaceMember: {
      /**
       * Format: date-time
       * @description When the person became a member.
       */
      createdAt: string;
      /** @description Null for keys that are limited to scopes or workspaces. */
      email: string | null;
      /** @enum {string} */
      role: 'member' | 'developer' | 'admin';
      /** @description The person. */
      userId: string;
    };
    WorkspaceMemberList: {
      members: components['schemas']['WorkspaceMember'][];
      /** @description Pass it as `cursor` to get the next page. Null on the last page. */
      nextCursor: string | null;
    };
    WorkspaceMemberRoleInput: {
      /**
       * @description Developers and admins can see the secrets of channels.
       * @enum {string}
       */
      role: 'member' | 'developer' | 'admin';
    };
    WorkspacePatch: {
      /** @description Null removes it. */
      externalId?: string | null;
      name?: string;
    };
  };
  responses: never;
  parameters: never;
  requestBodies: never;
  headers: never;
  pathItems: never;
}
export interface operations {
  getProtectedResource: {
    parameters: {};
    responses: {
      /** @description Returns the protected resource metadata of the API (RFC 9728) */
      200: {
        headers: {};
        content: {
          /**
           * @example {
           *       "resource": "https://channels.example.com",
           *       "resource_name": "Messaging channels",
           *       "scopes_supported": [
           *         "channel.read",
           *         "deliveries.read",
           *         "deliveries.replay"
           *       ],
           *       "bearer_methods_supported": [
           *         "header"
           *       ],
           *       "resource_documentation": "https://channels.example.com/auth.md"
           *     }
           */
          'application/json': components['schemas']['ProtectedResource'];
        };
      };
    };
  };
  getProtectedResourceOfMcp: {
    parameters: {};
    responses: {
      /** @description Returns the protected resource metadata of the tools at /mcp */
      200: {
        headers: {};
        content: {
          /**
           * @example {
           *       "resource": "https://channels.example.com",
           *       "resource_name": "Messaging channels",
           *       "scopes_supported": [
           *         "channel.read",
           *         "deliveries.read",
           *         "deliveries.replay"
           *       ],
           *       "bearer_methods_supported": [
           *         "header"
           *       ],
           *       "resource_documentation": "https://channels.example.com/auth.md"
           *     }
           */
          'application/json': components['schemas']['ProtectedResource'];
        };
      };
    };
  };
  claimAgentCredential: {
    parameters: {};
    requestBody: {
      content: {
        /**
         * @example {
         *       "email": "maria@northwind.example",
         *       "scopes": [
         *         "channel.read",
         *         "deliveries.read",
         *         "deliveries.replay"
         *       ],
         *       "organizationId": "org_N0rthw1d"
         *     }
         */
        'application/json': components['schemas']['AgentClaimInput'];
      };
    };
    responses: {
      /** @description Requests a code for an agent credential */
      202: {
        headers: {};
        content: {
          /**
           * @example {
           *       "registrationId": "reg_yR5kW8pJ",
           *       "expiresAt": "2026-01-31T08:10:00.000Z",
           *       "message": "We have sent a code by email, if the address can get one."
           *     }
           */
          'application/json': components['schemas']['AgentClaim'];
        };
      };
    };
  };
  completeAgentClaim: {
    parameters: {};
    requestBody: {
      content: {
        /**
         * @example {
         *       "registrationId": "reg_yR5kW8pJ",
         *       "otp": "482913"
         *     }
         */
        'application/json': components['schemas']['AgentClaimCompletion'];
      };
    };
    responses: {
      /** @description Exchanges a code for an API key with scopes */
      200: {
        headers: {};
        content: {
          /**
           * @example {
           *       "accessToken": "hmok_ExampleOnly0ExampleOnly1ExampleOnly2Example",
           *       "tokenType": "Bearer",
           *       "scopes": [
           *         "channel.read",
           *         "deliveries.read",
           *         "deliveries.replay"
           *       ],
           *       "credentialId": "ac_uJ6sR4eM",
           *       "organizationPublicId": "org_N0rthw1d",
           *       "expiresAt": "2026-02-28T12:00:00.000Z"
           *     }
           */
          'application/json': components['schemas']['AgentToken'];
        };
      };
    };
  };
  listAgentCredentials: {
    parameters: {
      query?: {
        /** @description The previous `nextCursor`. */
        cursor?: string;
        /**
         * @description Records per page; 50 by default.
         * @example 50
         */
        limit?: number;
      };
    };
    responses: {
      /** @description Lists the person's agent credentials, newest first */
      200: {
        headers: {};
        content: {
          /**
           * @example {
           *       "credentials": [
           *         {
           *           "credentialId": "ac_uJ6sR4eM",
           *           "organizationPublicId": "org_N0rthw1d",
           *           "email": "maria@northwind.example",
           *           "scopes": [
           *             "channel.read",
           *             "deliveries.read",
           *             "deliveries.replay"
           *           ],
           *           "createdAt": "2026-01-31T08:02:00.000Z",
           *           "lastUsedAt": null,
           *           "expiresAt": "2026-02-28T12:00:00.000Z"
           *         }
           *       ],
           *       "nextCursor": null
           *     }
           */
          'application/json': components['schemas']['AgentCredentialList'];
        };
      };
    };
  };
  revokeAgentCredential: {
    parameters: {
      path: {
        /**
         * @description Id of the agentCredential.
         * @example ac_uJ6sR4eM
         */
        ac: string;
      };
    };
    responses: {
      /** @description Revokes an agent credential */
      204: {
        headers: {};
      };
    };
  };
  cancelScheduledByCredential: {
    parameters: {
      path: {
        /**
         * @description Id of the agentCredential.
         * @example ac_uJ6sR4eM
         */
        ac: string;
      };
    };
    responses: {
      /** @description Cancels what an agent has scheduled, in workspaces that you can see */
      200: {
        headers: {};
        content: {
          /**
           * @example {
           *       "cancellations": [
           *         {
           *           "kind": "message",
           *           "id": "sm_J2tV7mWq",
           *           "channelId": "ch_8fKq2ZrW",
           *           "workspaceId": "ws_4Tg7LmQ2",
           *           "dueAt": "2026-02-14T07:00:00.000Z",
           *           "outcome": "cancelled"
           *         }
           *       ],
           *       "remaining": 0
           *     }
           */
          'application/json': components['schemas']['ScheduledCancellationList'];
        };
      };
    };
  };
  listCredentialReveals: {
    parameters: {
      query?: {
        /** @description The previous `nextCursor`. */
        cursor?: string;
        /**
         * @description Records per page; 50 by default.
         * @example 50
         */
        limit?: number;
      };
      path: {
        /**
         * @description Id of the agentCredential.
         * @example ac_uJ6sR4eM
         */
        ac: string;
      };
    };
    responses: {
      /** @description Lists the secrets that an agent has read, newest first */
      200: {
        headers: {};
        content: {
          /**
           * @example {
           *       "reveals": [
           *         {
           *           "channelId": "ch_8fKq2ZrW",
           *           "workspaceId": "ws_4Tg7LmQ2",
           *           "displayName": "Sunrise Bakery",
           *           "kind": "webhook_secret",
           *           "revealedTo": "maria@northwind.example",
           *           "firstRevealedAt": "2026-01-12T09:45:00.000Z",
           *           "lastRevealedAt": "2026-01-30T16:20:00.000Z",
           *           "revealCount": 2,
           *           "current": true,
           *           "endsAt": null
           *         }
           *       ],
           *       "nextCursor": null
           *     }
           */
          'application/json': components['schemas']['SecretRevealList'];
        };
      };
    };
  };
  rotateCredentialReveals: {
    parameters: {
      path: {
        /**
         * @description Id of the agentCredential.
         * @example ac_uJ6sR4eM
         */
        ac: string;
      };
    };
    requestBody?: {
      content: {
        /**
         * @example {
         *       "overlapSeconds": 3600
         *     }
         */
        'application/json': components['schemas']['RevealedRotationInput'];
      };
    };
    responses: {
      /** @description Rotates the secrets that an agent has read */
      200: {
        headers: {};
        content: {
          /**
           * @example {
           *       "rotations": [
           *         {
           *           "channelId": "ch_8fKq2ZrW",
           *           "kind": "webhook_secret",
           *           "status": "rotated",
           *           "endsAt": "2026-01-31T09:00:00.000Z",
           *           "code": null
           *         }
           *       ],
           *       "remaining": 0
           *     }
           */
          'application/json': components['schemas']['RevealedRotationList'];
        };
      };
    };
  };
  listScheduledByCredential: {
    parameters: {
      path: {
        /**
         * @description Id of the agentCredential.
         * @example ac_uJ6sR4eM
         */
        ac: string;
      };
    };
    responses: {
      /** @description Lists what an agent has scheduled, in workspaces that you can see */
      200: {
        headers: {};
        content: {
          /**
           * @example {
           *       "scheduled": [
           *         {
           *           "kind": "message",
           *           "id": "sm_J2tV7mWq",
           *           "channelId": "ch_8fKq2ZrW",
           *           "workspaceId": "ws_4Tg7LmQ2",
           *           "dueAt": "2026-02-14T07:00:00.000Z"
           *         }
           *       ],
           *       "messageCount": 1,
           *       "postCount": 0
           *     }
           */
          'application/json': components['schemas']['ScheduledByKey'];
        };
      };
    };
  };
  getEligibleScopes: {
    parameters: {
      query?: {
        /** @description The previous `nextCursor`. */
        cursor?: string;
        /**
         * @description Records per page; 50 by default.
         * @example 50
         */
        limit?: number;
      };
    };
    responses: {
      /** @description Lists the scopes that the person can grant to an agent, by organization */
      200: {
        headers: {};
        content: {
          /**
           * @example {
           *       "organizations": [
           *         {
           *           "organizationPublicId": "org_N0rthw1d",
           *           "role": "admin",
           *           "scopes": [
           *             "channel.read",
           *             "deliveries.read",
           *             "deliveries.replay"
           *           ]
           *         }
           *       ],
           *       "nextCursor": null
           *     }
           */
          'application/json': components['schemas']['EligibleScopes'];
        };
      };
    };
  };
  getAlert: {
    parameters: {
      path: {
        /**
         * @description Id of the alert.
         * @example alr_Q9gR3dLz
         */
        alr: string;
      };
    };
    responses: {
      /** @description Returns an alert */
      200: {
        headers: {};
        content: {
          /**
           * @example {
           *       "alertId": "alr_Q9gR3dLz",
           *       "kind": "deliveries.exhausted",
           *       "severity": "critical",
           *       "status": "open",
           *       "organizationId": "org_N0rthw1d",
           *       "workspaceId": "ws_4Tg7LmQ2",
           *       "channelId": "ch_8fKq2ZrW",
           *       "subject": {
           *         "type": "webhook",
           *         "id": null,
           *         "label": "https://hooks.northwind.example/channels"
           *       },
           *       "title": "Deliveries were given up",
           *       "description": "The receiver failed until the retry schedule ended. Repair it, then replay the deliveries.",
           *       "occurrences": 3,
           *       "openedAt": "2026-01-31T08:00:00.000Z",
           *       "lastSeenAt": "2026-01-31T08:04:00.000Z",
           *       "resolvedAt": null,
           *       "acknowledgedAt": null,
           *       "acknowledgedBy": null,
           *       "mutedUntil": null
           *     }
           */
          'application/json': components['schemas']['Alert'];
        };
      };
    };
  };
  acknowledgeAlert: {
    parameters: {
      path: {
        /**
         * @description Id of the alert.
         * @example alr_Q9gR3dLz
         */
        alr: string;
      };
    };
    responses: {
      /** @description Acknowledges an alert */
      200: {
        headers: {};
        content: {
          /**
           * @example {
           *       "alertId": "alr_Q9gR3dLz",
           *       "kind": "deliveries.exhausted",
           *       "severity": "critical",
           *       "status": "open",
           *       "organizationId": "org_N0rthw1d",
           *       "workspaceId": "ws_4Tg7LmQ2",
           *       "channelId": "ch_8fKq2ZrW",
           *       "subject": {
           *         "type": "webhook",
           *         "id": null,
           *         "label": "https://hooks.northwind.example/channels"
           *       },
           *       "title": "Deliveries were given up",
           *       "description": "The receiver failed until the retry schedule ended. Repair it, then replay the deliveries.",
           *       "occurrences": 3,
           *       "openedAt": "2026-01-31T08:00:00.000Z",
           *       "lastSeenAt": "2026-01-31T08:04:00.000Z",
           *       "resolvedAt": null,
           *       "acknowledgedAt": "2026-01-31T08:10:00.000Z",
           *       "acknowledgedBy": "usr_mArt4Lop",
           *       "mutedUntil": null
           *     }
           */
          'application/json': components['schemas']['Alert'];
        };
      };
    };
  };
  muteAlert: {
    parameters: {
      path: {
        /**
         * @description Id of the alert.
         * @example alr_Q9gR3dLz
         */
        alr: string;
      };
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "until": "2026-02-01T08:00:00.000Z"
         *     }
         */
        'application/json': {
          /**
           * Format: date-time
           * @description When the alert is announced again, at most 30 days from now.
           */
          until: string;
        };
      };
    };
    responses: {
      /** @description Mutes an alert */
      200: {
        headers: {};
        content: {
          /**
           * @example {
           *       "alertId": "alr_Q9gR3dLz",
           *       "kind": "deliveries.exhausted",
           *       "severity": "critical",
           *       "status": "open",
           *       "organizationId": "org_N0rthw1d",
           *       "workspaceId": "ws_4Tg7LmQ2",
           *       "channelId": "ch_8fKq2ZrW",
           *       "subject": {
           *         "type": "webhook",
           *         "id": null,
           *         "label": "https://hooks.northwind.example/channels"
           *       },
           *       "title": "Deliveries were given up",
           *       "description": "The receiver failed until the retry schedule ended. Repair it, then replay the deliveries.",
           *       "occurrences": 3,
           *       "openedAt": "2026-01-31T08:00:00.000Z",
           *       "lastSeenAt": "2026-01-31T08:04:00.000Z",
           *       "resolvedAt": null,
           *       "acknowledgedAt": null,
           *       "acknowledgedBy": null,
           *       "mutedUntil": "2026-02-01T08:00:00.000Z"
           *     }
           */
          'application/json': components['schemas']['Alert'];
        };
      };
    };
  };
  unmuteAlert: {
    parameters: {
      path: {
        /**
         * @description Id of the alert.
         * @example alr_Q9gR3dLz
         */
        alr: string;
      };
    };
    responses: {
      /** @description Unmutes an alert */
      200: {
        headers: {};
        content: {
          /**
           * @example {
           *       "alertId": "alr_Q9gR3dLz",
           *       "kind": "deliveries.exhausted",
           *       "severity": "critical",
           *       "status": "open",
           *       "organizationId": "org_N0rthw1d",
           *       "workspaceId": "ws_4Tg7LmQ2",
           *       "channelId": "ch_8fKq2ZrW",
           *       "subject": {
           *         "type": "webhook",
           *         "id": null,
           *         "label": "https://hooks.northwind.example/channels"
           *       },
           *       "title": "Deliveries were given up",
           *       "description": "The receiver failed until the retry schedule ended. Repair it, then replay the deliveries.",
           *       "occurrences": 3,
           *       "openedAt": "2026-01-31T08:00:00.000Z",
           *       "lastSeenAt": "2026-01-31T08:04:00.000Z",
           *       "resolvedAt": null,
           *       "acknowledgedAt": null,
           *       "acknowledgedBy": null,
           *       "mutedUntil": null
           *     }
           */
          'application/json': components['schemas']['Alert'];
        };
      };
    };
  };
  readAgentGuide: {
    parameters: {};
    responses: {
      /** @description The guide. */
      200: {
        headers: {};
        content: {
          /**
           * @example # Messaging channels for agents
           *
           *     Get a key by email code.
           */
          'text/markdown': string;
        };
      };
    };
  };
  refreshSession: {
    parameters: {};
    requestBody: {
      content: {
        /**
         * @example {
         *       "refreshToken": "ExampleRefreshTokenExampleRefreshTokenExampl"
         *     }
         */
        'application/json': {
          refreshToken: string;
        };
      };
    };
    responses: {
      /** @description Exchanges a refresh token for new tokens */
      200: {
        headers: {};
        content: {
          /**
           * @example {
           *       "accessToken": "eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiJ1c3JfbUFydDRMb3AifQ.c2lnbmF0dXJl",
           *       "tokenType": "Bearer",
           *       "expiresIn": 900,
           *       "refreshToken": "ExampleRefreshTokenExampleRefreshTokenExampl"
           *     }
           */
          'application/json': components['schemas']['RefreshedSession'];
        };
      };
    };
  };
  getSession: {
    parameters: {};
    responses: {
      /** @description Returns the caller with the kind of credential and the organizations */
      200: {
        headers: {};
        content: {
          /**
           * @example {
           *       "user": {
           *         "id": "usr_mArt4Lop",
           *         "email": "maria@northwind.example"
           *       },
           *       "organizations": [
           *         {
           *           "organizationId": "org_N0rthw1d",
           *           "name": "Northwind Agency",
           *           "role": "admin"
           *         }
           *       ],
           *       "credential": {
           *         "kind": "api_key",
           *         "id": "key_c2Hn7UfK",
           *         "scopes": [
           *           "channel.read",
           *           "deliveries.read"
           *         ],
           *         "workspaceIds": [
           *           "ws_4Tg7LmQ2"
           *         ]
           *       }
           *     }
           */
          'application/json': components['schemas']['CurrentSession'];
        };
      };
    };
  };
  signIn: {
    parameters: {};
    requestBody: {
      content: {
        /**
         * @example {
         *       "email": "maria@northwind.example"
         *     }
         */
        'application/json': {
          /** @description An email address. */
          email: string;
        };
      };
    };
    responses: {
      /** @description Sends a sign-in code by email */
      202: {
        headers: {};
        content: {
          /**
           * @example {
           *       "registrationId": "reg_yR5kW8pJ",
           *       "expiresAt": "2026-01-31T08:10:00.000Z",
           *       "message": "We have sent a code by email, if the address can get one."
           *     }
           */
          'application/json': components['schemas']['SignIn'];
        };
      };
    };
  };
  completeSignIn: {
    parameters: {};
    requestBody: {
      content: {
        /**
         * @example {
         *       "registrationId": "reg_yR5kW8pJ",
         *       "otp": "482913"
         *     }
         */
        'application/json': {
          /** @description The six digits from the email. */
          otp: string;
          /** @description The id from the sign-in. */
          registrationId: string;
        };
      };
    };
    responses: {
      /** @description Signs in with a code */
      200: {
        headers: {};
        content: {
          /**
           * @example {
           *       "user": {
           *         "id": "usr_mArt4Lop",
           *         "email": "maria@northwind.example"
           *       },
           *       "organizations": [
           *         {
           *           "organizationId": "org_N0rthw1d",
           *           "name": "Northwind Agency",
           *           "role": "admin"
           *         }
           *       ],
           *       "accessToken": "eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiJ1c3JfbUFydDRMb3AifQ.c2lnbmF0dXJl",
           *       "tokenType": "Bearer",
           *       "expiresIn": 900,
           *       "refreshToken": "ExampleRefreshTokenExampleRefreshTokenExampl"
           *     }
           */
          'application/json': components['schemas']['StartedSession'];
        };
      };
    };
  };
  signOut: {
    parameters: {};
    responses: {
      /** @description Ends the session */
      204: {
        headers: {};
      };
    };
  };
  signOutEverywhere: {
    parameters: {};
    responses: {
      /** @description Ends all sessions of the person */
      204: {
        headers: {};
      };
    };
  };
  uploadChatappMedia: {
    parameters: {
      path: {
        /**
         * @description Id of the channel.
         * @example ch_8fKq2ZrW
         */
        ch: string;
      };
    };
    /** @description The file itself with its Content-Type, or a form with the field `file` and optionally `type`. */
    requestBody: {
      content: {
        '*/*': string;
        'multipart/form-data': {
          /** Format: binary */
          file: string;
        };
      };
    };
    responses: {
      /** @description Uploads a file for messages */
      200: {
        headers: {};
        content: {
          /**
           * @example {
           *       "channelId": "ch_8fKq2ZrW",
           *       "mediaId": "17895695668004550"
           *     }
           */
          'application/json': components['schemas']['ChatappMediaUploaded'];
        };
      };
    };
  };
  downloadChatappMedia: {
    parameters: {
      path: {
        /**
         * @description Id of the channel.
         * @example ch_8fKq2ZrW
         */
        ch: string;
        /**
         * @description The file, by the id in its message.
         * @example 17895695668004550
         */
        mediaId: string;
      };
    };
    responses: {
      /** @description Downloads a media file */
      200: {
        headers: {};
        content: {
          '*/*': string;
        };
      };
    };
  };
  registerChatappNumber: {
    parameters: {
      path: {
        /**
         * @description Id of the channel.
         * @example ch_8fKq2ZrW
         */
        ch: string;
      };
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "pin": "482913"
         *     }
         */
        'application/json': {
          /**
           * @description The PIN of the number's two-step verification. A number without one gets it. Keep it: the platform asks for it again. The service does not store it.
           * @example 314159
           */
          pin: string;
        };
      };
    };
    responses: {
      /** @description Registers the number at the platform */
      200: {
        headers: {};
        content: {
          /**
           * @example {
           *       "channelId": "ch_8fKq2ZrW",
           *       "registered": true
           *     }
           */
          'application/json': components['schemas']['ChatappNumberRegistered'];
        };
      };
    };
  };
  listChatappTemplates: {
    parameters: {
      query?: {
        /** @description The previous `nextCursor`. */
        cursor?: string;
        /**
         * @description Records per page; 25 by default.
         * @example 50
         */
        limit?: number;
        /**
         * @description Filters by name. Returns all languages of the template.
         * @example order_ready
         */
        name?: string;
      };
      path: {
        /**
         * @description Id of the channel.
         * @example ch_8fKq2ZrW
         */
        ch: string;
      };
    };
    responses: {
      /** @description Lists the message templates of the number's business account */
      200: {
        headers: {};
        content: {
          /**
           * @example {
           *       "templates": [
           *         {
           *           "id": "594425479261596",
           *           "name": "order_ready",
           *           "language": "en_US",
           *           "status": "APPROVED",
           *           "category": "UTILITY",
           *           "components": [
           *             {
           *               "type": "BODY",
           *               "text": "Your order {{1}} is ready."
           *             }
           *           ]
           *         }
           *       ],
           *       "nextCursor": null
           *     }
           */
          'application/json': components['schemas']['ChatappTemplateList'];
        };
      };
    };
  };
  listChannelDestinations: {
    parameters: {
      path: {
        /**
         * @description Id of the channel.
         * @example ch_8fKq2ZrW
         */
        ch: string;
      };
    };
    responses: {
      /** @description Lists the channel's destinations with their health */
      200: {
        headers: {};
        content: {
          /**
           * @example {
           *       "destinations": [
           *         {
           *           "type": "webhook",
           *           "url": "https://hooks.northwind.example/channels",
           *           "label": null,
           *           "subscriptionId": null,
           *           "listenerId": null,
           *           "isKept": false,
           *           "ordering": "conversation",
           *           "sendsTraceParent": false,
           *           "headers": [
           *             "x-api-version"
           *           ],
           *           "authentication": {
           *             "type": "basic",
           *             "username": "northwind"
           *           },
           *           "timeoutSeconds": null,
           *           "rate": {
           *             "requestsPerSecond": null,
           *             "concurrency": null
           *           },
           *           "retrySchedule": "default",
           *           "debounce": null,
           *           "enabled": true,
           *           "disabledReason": null,
           *           "circuit": {
           *             "state": "closed",
           *             "reason": null,
           *             "openedAt": null,
           *             "nextProbeAt": null,
           *             "temporalUrl": null
           *           },
           *           "consecutiveFailures": 0,
           *           "failingSince": null,
           *           "notSettlingSince": null,
           *           "lastDeliveredAt": "2026-01-31T08:00:00.512Z",
           *           "lastFailureAt": null,
           *           "waiting": {
           *             "pending": 0,
           *             "retrying": 0
           *           },
           *           "oldestWaitingAt": null
           *         }
           *       ]
           *     }
           */
          'application/json': components['schemas']['ChannelDestinations'];
        };
      };
    };
  };
  setDestinationOrdering: {
    parameters: {
      path: {
        /**
         * @description Id of the channel.
         * @example ch_8fKq2ZrW
         */
        ch: string;
      };
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "destination": "webhook",
         *       "ordering": "conversation",
         *       "headers": {
         *         "x-api-version": "2"
         *       },
         *       "timeoutSeconds": 10,
         *       "rate": {
         *         "requestsPerSecond": 20
         *       },
         *       "retrySchedule": "fast"
         *     }
         */
        'application/json': components['schemas']['ChannelDestinationChange'];
      };
    };
    responses: {
      /** @description Sets the order, headers, authentication, time-out, rate, retries and debounce of a destination */
      200: {
        headers: {};
        content: {
          /**
           * @example {
           *       "destinations": [
           *         {
           *           "type": "webhook",
           *           "url": "https://hooks.northwind.example/channels",
           *           "label": null,
           *           "subscriptionId": null,
           *           "listenerId": null,
           *           "isKept": false,
           *           "ordering": "conversation",
           *           "sendsTraceParent": false,
           *           "headers": [
           *             "x-api-version"
           *           ],
           *           "authentication": {
           *             "type": "basic",
           *             "username": "northwind"
           *           },
           *           "timeoutSeconds": null,
           *           "rate": {
           *             "requestsPerSecond": null,
           *             "concurrency": null
           *           },
           *           "retrySchedule": "default",
           *           "debounce": null,
           *           "enabled": true,
           *           "disabledReason": null,
           *           "circuit": {
           *             "state": "closed",
           *             "reason": null,
           *             "openedAt": null,
           *             "nextProbeAt": null,
           *             "temporalUrl": null
           *           },
           *           "consecutiveFailures": 0,
           *           "failingSince": null,
           *           "notSettlingSince": null,
           *           "lastDeliveredAt": "2026-01-31T08:00:00.512Z",
           *           "lastFailureAt": null,
           *           "waiting": {
           *             "pending": 0,
           *             "retrying": 0
           *           },
           *           "oldestWaitingAt": null
           *         }
           *       ]
           *     }
           */
          'application/json': components['schemas']['ChannelDestinations'];
        };
      };
    };
  };
  getAccountHealth: {
    parameters: {
      path: {
        /**
         * @description Id of the channel.
         * @example ch_8fKq2ZrW
         */
        ch: string;
      };
    };
    responses: {
      /** @description Returns what the platform says about the channel's account */
      200: {
        headers: {};
        content: {
          /**
           * @example {
           *       "channelId": "ch_8fKq2ZrW",
           *       "status": "warning",
           *       "reasons": [
           *         {
           *           "code": "quality_medium",
           *           "severity": "warning",
           *           "message": "The quality rating is medium. Recipients have blocked or reported messages."
           *         }
           *       ],
           *       "checkedAt": "2026-01-31T08:05:00.000Z",
           *       "lastFailure": null,
           *       "quality": "medium",
           *       "tier": "1K",
           *       "throughput": "standard",
           *       "accountStatus": "connected",
           *       "nameStatus": "approved",
           *       "credentialExpiresAt": "2026-03-13T09:41:00.000Z",
           *       "permissions": null,
           *       "subscription": null,
           *       "businessAccountId": "102290129340398",
           *       "name": "Sunrise Bakery",
           *       "username": null,
           *       "pictureUrl": null
           *     }
           */
          'application/json': components['schemas']['AccountHealth'];
        };
      };
    };
  };
  refreshAccountHealth: {
    parameters: {
      path: {
        /**
         * @description Id of the channel.
         * @example ch_8fKq2ZrW
         */
        ch: string;
      };
    };
    responses: {
      /** @description Checks the channel's account at the platform now */
      200: {
        headers: {};
        content: {
          /**
           * @example {
           *       "channelId": "ch_8fKq2ZrW",
           *       "status": "warning",
           *       "reasons": [
           *         {
           *           "code": "quality_medium",
           *           "severity": "warning",
           *           "message": "The quality rating is medium. Recipients have blocked or reported messages."
           *         }
           *       ],
           *       "checkedAt": "2026-01-31T08:05:00.000Z",
           *       "lastFailure": null,
           *       "quality": "medium",
           *       "tier": "1K",
           *       "throughput": "standard",
           *       "accountStatus": "connected",
           *       "nameStatus": "approved",
           *       "credentialExpiresAt": "2026-03-13T09:41:00.000Z",
           *       "permissions": null,
           *       "subscription": null,
           *       "businessAccountId": "102290129340398",
           *       "name": "Sunrise Bakery",
           *       "username": null,
           *       "pictureUrl": null
           *     }
           */
          'application/json': components['schemas']['AccountHealth'];
        };
      };
    };
  };
  listListeners: {
    parameters: {
      query?: {
        /** @description The previous `nextCursor`. */
        cursor?: string;
        /**
         * @description Records per page; 50 by default.
         * @example 50
         */
        limit?: number;
      };
      path: {
        /**
         * @description Id of the channel.
         * @example ch_8fKq2ZrW
         */
        ch: string;
      };
    };
    responses: {
      /** @description Lists the channel's listeners, newest first */
      200: {
        headers: {};
        content: {
          /**
           * @example {
           *       "listeners": [
           *         {
           *           "listenerId": "lst_aF3xH9uC",
           *           "channelId": "ch_8fKq2ZrW",
           *           "label": "Maria's laptop",
           *           "eventTypes": [
           *             "chatapp.message.received"
           *           ],
           *           "createdAt": "2026-01-31T07:30:00.000Z",
           *           "lastReadAt": "2026-01-31T08:00:00.000Z",
           *           "expiresAt": "2026-02-07T08:00:00.000Z"
           *         }
           *       ],
           *       "nextCursor": null
           *     }
           */
          'application/json': components['schemas']['ListenerList'];
        };
      };
    };
  };
  createListener: {
    parameters: {
      header?: {
        /**
         * @description Identifies one operation, with 1 to 255 printable ASCII characters. A repeated request with the same key and body returns the first response, and waits for it while the first request runs. A refusal that did nothing frees the key.
         * @example 7d1f0c52-order-118
         */
        'Idempotency-Key'?: string;
      };
      path: {
        /**
         * @description Id of the channel.
         * @example ch_8fKq2ZrW
         */
        ch: string;
      };
    };
    requestBody?: {
      content: {
        /**
         * @example {
         *       "label": "Maria's laptop",
         *       "eventTypes": [
         *         "chatapp.message.received"
         *       ]
         *     }
         */
        'application/json': components['schemas']['ListenerInput'];
      };
    };
    responses: {
      /** @description Creates a listener, which stores the channel's events until you read them */
      201: {
        headers: {};
        content: {
          /**
           * @example {
           *       "listenerId": "lst_aF3xH9uC",
           *       "channelId": "ch_8fKq2ZrW",
           *       "label": "Maria's laptop",
           *       "eventTypes": [
           *         "chatapp.message.received"
           *       ],
           *       "createdAt": "2026-01-31T07:30:00.000Z",
           *       "lastReadAt": "2026-01-31T08:00:00.000Z",
           *       "expiresAt": "2026-02-07T08:00:00.000Z"
           *     }
           */
          'application/json': components['schemas']['Listener'];
        };
      };
    };
  };
  getListener: {
    parameters: {
      path: {
        /**
         * @description Id of the channel.
         * @example ch_8fKq2ZrW
         */
        ch: string;
        /**
         * @description Id of the listener.
         * @example lst_aF3xH9uC
         */
        lst: string;
      };
    };
    responses: {
      /** @description Returns a listener */
      200: {
        headers: {};
        content: {
          /**
           * @example {
           *       "listenerId": "lst_aF3xH9uC",
           *       "channelId": "ch_8fKq2ZrW",
           *       "label": "Maria's laptop",
           *       "eventTypes": [
           *         "chatapp.message.received"
           *       ],
           *       "createdAt": "2026-01-31T07:30:00.000Z",
           *       "lastReadAt": "2026-01-31T08:00:00.000Z",
           *       "expiresAt": "2026-02-07T08:00:00.000Z"
           *     }
           */
          'application/json': components['schemas']['Listener'];
        };
      };
    };
  };
  deleteListener: {
    parameters: {
      path: {
        /**
         * @description Id of the channel.
         * @example ch_8fKq2ZrW
         */
        ch: string;
        /**
         * @description Id of the listener.
         * @example lst_aF3xH9uC
         */
        lst: string;
      };
    };
    responses: {
      /** @description Deletes a listener */
      204: {
        headers: {};
      };
    };
  };
  acknowledgeDeliveries: {
    parameters: {
      path: {
        /**
         * @description Id of the channel.
         * @example ch_8fKq2ZrW
         */
        ch: string;
        /**
         * @description Id of the listener.
         * @example lst_aF3xH9uC
         */
        lst: string;
      };
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "deliveries": [
         *         {
         *           "deliveryId": "wd_Zk9Wq3Lt",
         *           "outcome": "accepted",
         *           "status": 200,
         *           "durationMs": 35
         *         }
         *       ]
         *     }
         */
        'application/json': components['schemas']['AcknowledgeInput'];
      };
    };
    responses: {
      /** @description Records the outcomes of deliveries that were read */
      200: {
        headers: {};
        content: {
          /**
           * @example {
           *       "acknowledged": 1
           *     }
           */
          'application/json': components['schemas']['Acknowledged'];
        };
      };
    };
  };
  readListener: {
    parameters: {
      query?: {
        /** @description `nextCursor` of an earlier read. Continues after its deliveries, even if they are not acknowledged. */
        cursor?: string;
        /**
         * @description Maximum number of deliveries; 50 by default. Fewer are returned if they are large.
         * @example 50
         */
        limit?: number;
        /**
         * @description How long to wait for a delivery if none is waiting; 0 by default.
         * @example 20
         */
        waitSeconds?: number;
      };
      path: {
        /**
         * @description Id of the channel.
         * @example ch_8fKq2ZrW
         */
        ch: string;
        /**
         * @description Id of the listener.
         * @example lst_aF3xH9uC
         */
        lst: string;
      };
    };
    responses: {
      /** @description Reads the waiting deliveries of a listener, in order */
      200: {
        headers: {};
        content: {
          /**
           * @example {
           *       "deliveries": [
           *         {
           *           "deliveryId": "wd_Zk9Wq3Lt",
           *           "eventId": "evt_b7Vd2NxS",
           *           "eventType": "chatapp.message.received",
           *           "receivedAt": "2026-01-31T08:00:00.120Z",
           *           "sender": "15550198",
           *           "attempt": 1,
           *           "headers": {
           *             "content-type": "application/json",
           *             "webhook-id": "wd_Zk9Wq3Lt",
           *             "webhook-timestamp": "1769846400",
           *             "webhook-signature": "v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=",
           *             "x-service-attempt": "1",
           *             "x-service-delivery-id": "wd_Zk9Wq3Lt",
           *             "x-service-event-id": "evt_b7Vd2NxS",
           *             "x-service-event-type": "chatapp.message.received",
           *             "x-service-signature-256": "sha256=6b1f4c2e0d9a8b7c6d5e4f3a2b1c0d9e8f7a6b5c4d3e2f1a0b9c8d7e6f5a4b3c"
           *           },
           *           "payload": "{\"object\":\"chatapp\",\"entry\":[{\"id\":\"102290129340398\",\"changes\":[{\"field\":\"messages\",\"value\":{\"messaging_product\":\"chatapp\",\"metadata\":{\"display_phone_number\":\"+1 555 0142\",\"phone_number_id\":\"106540352242922\"},\"contacts\":[{\"profile\":{\"name\":\"Ana Torres\"},\"wa_id\":\"15550198\"}],\"messages\":[{\"from\":\"15550198\",\"id\":\"wamid.HBgLMTU1NTAxOTg\",\"timestamp\":\"1769846400\",\"type\":\"text\",\"text\":{\"body\":\"Do you have sourdough today?\"}}]}}]}]}"
           *         }
           *       ],
           *       "nextCursor": null
           *     }
           */
          'application/json': components['schemas']['ListenerRead'];
        };
      };
    };
  };
  sendMessage: {
    parameters: {
      header?: {
        /**
         * @description Identifies one operation, with 1 to 255 printable ASCII characters. A repeated request with the same key and body returns the first response, and waits for it while the first request runs. A refusal that did nothing frees the key.
         * @example 7d1f0c52-order-118
         */
        'Idempotency-Key'?: string;
      };
      path: {
        /**
         * @description Id of the channel.
         * @example ch_8fKq2ZrW
         */
        ch: string;
      };
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "to": "15550198",
         *       "text": "Your order is ready. See you soon!"
         *     }
         */
        'application/json': components['schemas']['MessageInput'];
      };
    };
    responses: {
      /** @description Sends a message */
      200: {
        headers: {};
        content: {
          /**
           * @example {
           *       "channelId": "ch_8fKq2ZrW",
           *       "messageId": "wamid.HBgLMTU1NTAxOTg",
           *       "recipientId": "15550198",
           *       "userId": null,
           *       "messageStatus": "accepted"
           *     }
           */
          'application/json': components['schemas']['MessageSent'];
        };
      };
    };
  };
  markMessageRead: {
    parameters: {
      path: {
        /**
         * @description Id of the channel.
         * @example ch_8fKq2ZrW
         */
        ch: string;
        /**
         * @description The message, by the id in its event. Percent-encode it.
         * @example wamid.HBgLMTU1NTAxOTg
         */
        messageId: string;
      };
    };
    requestBody?: {
      content: {
        /**
         * @example {
         *       "to": "15550198"
         *     }
         */
        'application/json': components['schemas']['MessageReadInput'];
      };
    };
    responses: {
      /** @description Marks a received message as read */
      200: {
        headers: {};
        content: {
          /**
           * @example {
           *       "channelId": "ch_8fKq2ZrW",
           *       "messageId": "wamid.HBgLMTU1NTAxOTg",
           *       "read": true
           *     }
           */
          'application/json': components['schemas']['MessageRead'];
        };
      };
    };
  };
  moveChannel: {
    parameters: {
      path: {
        /**
         * @description Id of the channel.
         * @example ch_8fKq2ZrW
         */
        ch: string;
      };
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "workspaceId": "ws_R2mXe7Vk"
         *     }
         */
        'application/json': components['schemas']['ChannelMoveInput'];
      };
    };
    responses: {
      /** @description Moves a channel to another workspace of the organization */
      200: {
        headers: {};
        content: {
          /**
           * @example {
           *       "id": "ch_8fKq2ZrW",
           *       "type": "chatapp",
           *       "workspaceId": "ws_R2mXe7Vk",
           *       "displayName": "Sunrise Bakery",
           *       "metaResourceId": "106540352242922",
           *       "phoneNumberId": "106540352242922",
           *       "businessAccountId": "102290129340398",
           *       "connectionType": "oauth",
           *       "credentialId": "cred_pX3vB8yD",
           *       "connected": true,
           *       "disconnectedReason": null,
           *       "credentialRefusedAt": null,
           *       "credentialRefusedReason": null,
           *       "forwardingEnabled": true,
           *       "webhookUrl": "https://hooks.northwind.example/channels",
           *       "delivery": null,
           *       "linkedChannelId": null,
           *       "onboardingLinkId": "ol_E8jTz5Qa",
           *       "createdAt": "2026-01-12T09:41:00.000Z",
           *       "updatedAt": "2026-01-12T09:50:00.000Z"
           *     }
           */
          'application/json': components['schemas']['Channel'];
        };
      };
    };
  };
  listOutboundCalls: {
    parameters: {
      query?: {
        /** @description The previous `nextCursor`. */
        cursor?: string;
        /**
         * @description Records per page; 50 by default.
         * @example 50
         */
        limit?: number;
        /**
         * @description Filters by the request that caused the calls: the service's id, or the caller's own x-request-id.
         * @example req_mU3vX8qLzT1aYbKd
         */
        requestId?: string;
        /**
         * @description Started at or after this time.
         * @example 2026-01-30T00:00:00.000Z
         */
        since?: string;
        /**
         * @description Started before this time.
         * @example 2026-01-31T00:00:00.000Z
         */
        until?: string;
      };
      path: {
        /**
         * @description Id of the channel.
         * @example ch_8fKq2ZrW
         */
        ch: string;
      };
    };
    responses: {
      /** @description Lists the calls to the platform for the channel, newest first */
      200: {
        headers: {};
        content: {
          /**
           * @example {
           *       "outboundCalls": [
           *         {
           *           "channelId": "ch_8fKq2ZrW",
           *           "via": "gateway",
           *           "caller": "key_c2Hn7UfK",
           *           "operation": "messages.send",
           *           "method": "POST",
           *           "path": "/v23.0/106540352242922/messages",
           *           "status": 200,
           *           "error": null,
           *           "durationMs": 212,
           *           "requestId": "req_mU3vX8qLzT1aYbKd",
           *           "callerRequestId": null,
           *           "platformRequestId": "AbC3dEfG1hI",
           *           "startedAt": "2026-01-31T08:00:00.300Z"
           *         }
           *       ],
           *       "nextCursor": null
           *     }
           */
          'application/json': components['schemas']['OutboundCallList'];
        };
      };
    };
  };
  listPageappComments: {
    parameters: {
      query: {
        /** @description The previous `nextCursor`. */
        cursor?: string;
        /**
         * @description Records per page; 25 by default.
         * @example 50
         */
        limit?: number;
        /**
         * @description The post.
         * @example 300000000000001_122100000000001
         */
        postId: string;
      };
      path: {
        /**
         * @description Id of the channel.
         * @example ch_P4geSunR
         */
        ch: string;
      };
    };
    responses: {
      /** @description Lists the comments on a post and their replies */
      200: {
        headers: {};
        content: {
          /**
           * @example {
           *       "comments": [
           *         {
           *           "id": "17858893269000001",
           *           "fromId": "15550198",
           *           "fromName": "Ana Torres",
           *           "message": "Do you have sourdough today?",
           *           "createdAt": "2026-01-31T08:00:00.240Z",
           *           "isHidden": false,
           *           "parentId": null
           *         }
           *       ],
           *       "nextCursor": null
           *     }
           */
          'application/json': components['schemas']['PageappCommentList'];
        };
      };
    };
  };
  moderatePageappComment: {
    parameters: {
      header?: {
        /**
         * @description Identifies one operation, with 1 to 255 printable ASCII characters. A repeated request with the same key and body returns the first response, and waits for it while the first request runs. A refusal that did nothing frees the key.
         * @example 7d1f0c52-order-118
         */
        'Idempotency-Key'?: string;
      };
      path: {
        /**
         * @description Id of the channel.
         * @example ch_P4geSunR
         */
        ch: string;
        /**
         * @description The comment, by its id in a list or an event.
         * @example 17858893269000001
         */
        commentId: string;
      };
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "action": "hide"
         *     }
         */
        'application/json': components['schemas']['CommentModerationInput'];
      };
    };
    responses: {
      /** @description Hides, shows or deletes a comment */
      200: {
        headers: {};
        content: {
          /**
           * @example {
           *       "channelId": "ch_P4geSunR",
           *       "commentId": "17858893269000001",
           *       "action": "hide",
           *       "ok": true
           *     }
           */
          'application/json': components['schemas']['CommentModeration'];
        };
      };
    };
  };
  replyToPageappComment: {
    parameters: {
      header?: {
        /**
         * @description Identifies one operation, with 1 to 255 printable ASCII characters. A repeated request with the same key and body returns the first response, and waits for it while the first request runs. A refusal that did nothing frees the key.
         * @example 7d1f0c52-order-118
         */
        'Idempotency-Key'?: string;
      };
      path: {
        /**
         * @description Id of the channel.
         * @example ch_P4geSunR
         */
        ch: string;
        /**
         * @description The comment, by its id in a list or an event.
         * @example 17858893269000001
         */
        commentId: string;
      };
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "message": "Yes, until noon. Shall I keep one for you?",
         *       "private": false
         *     }
         */
        'application/json': components['schemas']['PageappReplyInput'];
      };
    };
    responses: {
      /** @description Replies to a comment, in public or in private */
      200: {
        headers: {};
        content: {
          /**
           * @example {
           *       "channelId": "ch_P4geSunR",
           *       "commentId": "17858893269000001",
           *       "private": false,
           *       "replyId": "17858893269000002",
           *       "messageId": null
           *     }
           */
          'application/json': components['schemas']['CommentReply'];
        };
      };
    };
  };
  listPageappConversations: {
    parameters: {
      query?: {
        /**
         * @description Returns only this conversation, with pages of its messages.
         * @example t_100012345678901
         */
        conversationId?: string;
        /** @description The previous `nextCursor`. */
        cursor?: string;
        /**
         * @description Records per page; 25 by default.
         * @example 50
         */
        limit?: number;
        /**
         * @description Filters by person.
         * @example 15550198
         */
        participantId?: string;
      };
      path: {
        /**
         * @description Id of the channel.
         * @example ch_P4geSunR
         */
        ch: string;
      };
    };
    responses: {
      /** @description Lists the Page's conversations */
      200: {
        headers: {};
        content: {
          /**
           * @example {
           *       "conversations": [
           *         {
           *           "id": "t_100012345678901",
           *           "participantId": "15550198",
           *           "participantName": "Ana Torres",
           *           "updatedAt": "2026-01-31T08:00:00.000Z",
           *           "unreadCount": 1,
           *           "snippet": "Do you have sourdough today?",
           *           "messages": null
           *         }
           *       ],
           *       "nextCursor": null
           *     }
           */
          'application/json': components['schemas']['ConversationList'];
        };
      };
    };
  };
  getPageappInsights: {
    parameters: {
      query?: {
        /**
         * @description Metrics by the platform's names; a common selection by default.
         * @example reach
         */
        metrics?: string;
        /**
         * @description `day` by default for a Page.
         * @example day
         */
        period?: 'day' | 'week' | 'days_28' | 'lifetime';
        /**
         * @description The post, reel or video; the Page by default.
         * @example 300000000000001_122100000000001
         */
        postId?: string;
        /**
         * @description Counts from this time.
         * @example 2026-01-30T00:00:00.000Z
         */
        since?: string;
        /**
         * @description Counts until this time.
         * @example 2026-01-31T00:00:00.000Z
         */
        until?: string;
      };
      path: {
        /**
         * @description Id of the channel.
         * @example ch_P4geSunR
         */
        ch: string;
      };
    };
    responses: {
      /** @description Returns metrics of the Page or of a post */
      200: {
        headers: {};
        content: {
          /**
           * @example {
           *       "target": "page",
           *       "targetId": "300000000000001",
           *       "metrics": [
           *         {
           *           "name": "reach",
           *           "period": "day",
           *           "values": [
           *             {
           *               "value": 1840,
           *               "endTime": "2026-01-31T08:00:00.000Z"
           *             }
           *           ],
           *           "breakdown": null
           *         }
           *       ],
           *       "unavailable": [
           *         "page_fans_country"
           *       ]
           *     }
           */
          'application/json': components['schemas']['PageappInsights'];
        };
      };
    };
  };
  getPageappPage: {
    parameters: {
      path: {
        /**
         * @description Id of the channel.
         * @example ch_P4geSunR
         */
        ch: string;
      };
    };
    responses: {
      /** @description Returns the Page */
      200: {
        headers: {};
        content: {
          /**
           * @example {
           *       "pageId": "300000000000001",
           *       "name": "Sunrise Bakery",
           *       "category": "Bakery",
           *       "followers": 1840,
           *       "link": "https://sunrise-bakery.example/",
           *       "pictureUrl": null
           *     }
           */
          'application/json': components['schemas']['PageappPage'];
        };
      };
    };
  };
  listPageappPosts: {
    parameters: {
      query?: {
        /** @description The previous `nextCursor`. */
        cursor?: string;
        /**
         * @description Records per page; 25 by default.
         * @example 50
         */
        limit?: number;
      };
      path: {
        /**
         * @description Id of the channel.
         * @example ch_P4geSunR
         */
        ch: string;
      };
    };
    responses: {
      /** @description Lists the Page's posts */
      200: {
        headers: {};
        content: {
          /**
           * @example {
           *       "posts": [
           *         {
           *           "id": "300000000000001_122100000000001",
           *           "message": "Fresh sourdough, every morning at seven.",
           *           "createdAt": "2026-01-31T08:00:00.240Z",
           *           "permalink": "https://pageapp.example/sunrise/posts/122100000000001",
           *           "type": "link"
           *         }
           *       ],
           *       "nextCursor": null
           *     }
           */
          'application/json': components['schemas']['PageappPostList'];
        };
      };
    };
  };
  publishPageappPost: {
    parameters: {
      header?: {
        /**
         * @description Identifies one operation, with 1 to 255 printable ASCII characters. A repeated request with the same key and body returns the first response, and waits for it while the first request runs. A refusal that did nothing frees the key.
         * @example 7d1f0c52-order-118
         */
        'Idempotency-Key'?: string;
      };
      path: {
        /**
         * @description Id of the channel.
         * @example ch_P4geSunR
         */
        ch: string;
      };
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "kind": "link",
         *       "message": "Fresh sourdough, every morning at seven.",
         *       "link": "https://sunrise-bakery.example/"
         *     }
         */
        'application/json': components['schemas']['PageappPostInput'];
      };
    };
    responses: {
      /** @description Publishes a text, link, photo or video */
      200: {
        headers: {};
        content: {
          /**
           * @example {
           *       "channelId": "ch_P4geSunR",
           *       "postId": "300000000000001_122100000000001",
           *       "mediaId": null,
           *       "kind": "link"
           *     }
           */
          'application/json': components['schemas']['PageappPublished'];
        };
      };
    };
  };
  deletePageappPost: {
    parameters: {
      header?: {
        /**
         * @description Identifies one operation, with 1 to 255 printable ASCII characters. A repeated request with the same key and body returns the first response, and waits for it while the first request runs. A refusal that did nothing frees the key.
         * @example 7d1f0c52-order-118
         */
        'Idempotency-Key'?: string;
      };
      path: {
        /**
         * @description Id of the channel.
         * @example ch_P4geSunR
         */
        ch: string;
        /**
         * @description The post, by its id in a list or an event.
         * @example 300000000000001_122100000000001
         */
        postId: string;
      };
    };
    responses: {
      /** @description Deletes a post */
      200: {
        headers: {};
        content: {
          /**
           * @example {
           *       "channelId": "ch_P4geSunR",
           *       "postId": "300000000000001_122100000000001",
           *       "deleted": true
           *     }
           */
          'application/json': components['schemas']['PageappPostDeleted'];
        };
      };
    };
  };
  publishPageappReel: {
    parameters: {
      header?: {
        /**
         * @description Identifies one operation, with 1 to 255 printable ASCII characters. A repeated request with the same key and body returns the first response, and waits for it while the first request runs. A refusal that did nothing frees the key.
         * @example 7d1f0c52-order-118
         */
        'Idempotency-Key'?: string;
      };
      path: {
        /**
         * @description Id of the channel.
         * @example ch_P4geSunR
         */
        ch: string;
      };
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "videoUrl": "https://cdn.northwind.example/sourdough.mp4",
         *       "description": "From flour to loaf in thirty seconds."
         *     }
         */
        'application/json': components['schemas']['PageappReelInput'];
      };
    };
    responses: {
      /** @description Publishes a reel from a URL that the platform fetches */
      200: {
        headers: {};
        content: {
          /**
           * @example {
           *       "channelId": "ch_P4geSunR",
           *       "postId": "300000000000001_122100000000001",
           *       "mediaId": null,
           *       "kind": "link"
           *     }
           */
          'application/json': components['schemas']['PageappPublished'];
        };
      };
    };
  };
  getPhotoappAccount: {
    parameters: {
      query?: {
        /**
         * @description Whether to return `quota`.
         * @example true
         */
        includePublishingLimit?: 'true' | 'false';
      };
      path: {
        /**
         * @description Id of the channel.
         * @example ch_Ph0toS4n
         */
        ch: string;
      };
    };
    responses: {
      /** @description Returns the account */
      200: {
        headers: {};
        content: {
          /**
           * @example {
           *       "accountId": "17841405822304914",
           *       "username": "sunrise.bakery",
           *       "name": "Sunrise Bakery",
           *       "biography": "Bread, cake and coffee since 1987",
           *       "website": "https://sunrise-bakery.example/",
           *       "profilePictureUrl": "https://cdn.northwind.example/sunrise.jpg",
           *       "followerCount": 1840,
           *       "followingCount": 120,
           *       "mediaCount": 214,
           *       "quota": null
           *     }
           */
          'application/json': components['schemas']['PhotoappAccount'];
        };
      };
    };
  };
  listPhotoappComments: {
    parameters: {
      query?: {
        /**
         * @description Returns the replies to this comment.
         * @example 17858893269000001
         */
        commentId?: string;
        /** @description The previous `nextCursor`. */
        cursor?: string;
        /**
         * @description Records per page; 25 by default.
         * @example 50
         */
        limit?: number;
        /**
         * @description Returns the comments on this media object.
         * @example 17895695668004550
         */
        mediaId?: string;
      };
      path: {
        /**
         * @description Id of the channel.
         * @example ch_Ph0toS4n
         */
        ch: string;
      };
    };
    responses: {
      /** @description Lists comments */
      200: {
        headers: {};
        content: {
          /**
           * @example {
           *       "comments": [
           *         {
           *           "id": "17858893269000001",
           *           "text": "Do you have sourdough today?",
           *           "fromId": "15550198",
           *           "username": "ana.torres",
           *           "createdAt": "2026-01-31T08:00:00.240Z",
           *           "isHidden": false,
           *           "parentId": null,
           *           "likeCount": 57
           *         }
           *       ],
           *       "nextCursor": null
           *     }
           */
          'application/json': components['schemas']['PhotoappCommentList'];
        };
      };
    };
  };
  moderatePhotoappComment: {
    parameters: {
      header?: {
        /**
         * @description Identifies one operation, with 1 to 255 printable ASCII characters. A repeated request with the same key and body returns the first response, and waits for it while the first request runs. A refusal that did nothing frees the key.
         * @example 7d1f0c52-order-118
         */
        'Idempotency-Key'?: string;
      };
      path: {
        /**
         * @description Id of the channel.
         * @example ch_Ph0toS4n
         */
        ch: string;
        /**
         * @description The comment, by its id in a list or an event.
         * @example 17858893269000001
         */
        commentId: string;
      };
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "action": "hide"
         *     }
         */
        'application/json': components['schemas']['CommentModerationInput'];
      };
    };
    responses: {
      /** @description Hides, shows or deletes a comment */
      200: {
        headers: {};
        content: {
          /**
           * @example {
           *       "channelId": "ch_Ph0toS4n",
           *       "commentId": "17858893269000001",
           *       "action": "hide",
           *       "ok": true
           *     }
           */
          'application/json': components['schemas']['CommentModeration'];
        };
      };
    };
  };
  replyToPhotoappComment: {
    parameters: {
      header?: {
        /**
         * @description Identifies one operation, with 1 to 255 printable ASCII characters. A repeated request with the same key and body returns the first response, and waits for it while the first request runs. A refusal that did nothing frees the key.
         * @example 7d1f0c52-order-118
         */
        'Idempotency-Key'?: string;
      };
      path: {
        /**
         * @description Id of the channel.
         * @example ch_Ph0toS4n
         */
        ch: string;
        /**
         * @description The comment, by its id in a list or an event.
         * @example 17858893269000001
         */
        commentId: string;
      };
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "text": "Yes, until noon. Shall I keep one for you?",
         *       "private": false
         *     }
         */
        'application/json': components['schemas']['PhotoappReplyInput'];
      };
    };
    responses: {
      /** @description Replies to a comment, in public or in private */
      200: {
        headers: {};
        content: {
          /**
           * @example {
           *       "channelId": "ch_Ph0toS4n",
           *       "commentId": "17858893269000001",
           *       "private": false,
           *       "replyId": "17858893269000002",
           *       "messageId": null
           *     }
           */
          'application/json': components['schemas']['CommentReply'];
        };
      };
    };
  };
  listContainers: {
    parameters: {
      query?: {
        /** @description The previous `nextCursor`. */
        cursor?: string;
        /**
         * @description Records per page; 50 by default.
         * @example 50
         */
        limit?: number;
        /**
         * @description Filters by status.
         * @example creating
         */
        status?: 'creating' | 'in_progress' | 'finished' | 'publishing' | 'published' | 'error' | 'expired' | 'unknown';
      };
      path: {
        /**
         * @description Id of the channel.
         * @example ch_Ph0toS4n
         */
        ch: string;
      };
    };
    responses: {
      /** @description Lists the media containers of the channel, newest first */
      200: {
        headers: {};
        content: {
          /**
           * @example {
           *       "containers": [
           *         {
           *           "channelId": "ch_Ph0toS4n",
           *           "containerId": "ctr_gY4mC6hP",
           *           "status": "finished",
           *           "statusDetail": null,
           *           "refusalCode": null,
           *           "mediaType": "IMAGE",
           *           "caption": "Fresh sourdough, every morning at seven.",
           *           "children": null,
           *           "platformContainerId": "17889615691921648",
           *           "mediaId": null,
           *           "permalink": null,
           *           "createdAt": "2026-01-31T08:00:00.240Z",
           *           "checkedAt": "2026-01-31T08:05:00.000Z",
           *           "nextCheckAt": null,
           *           "expiresAt": "2026-02-01T08:00:00.000Z",
           *           "publishedAt": null
           *         }
           *       ],
           *       "nextCursor": null
           *     }
           */
          'application/json': components['schemas']['MediaContainerList'];
        };
      };
    };
  };
  createContainer: {
    parameters: {
      header?: {
        /**
         * @description Identifies one operation, with 1 to 255 printable ASCII characters. A repeated request with the same key and body returns the first response, and waits for it while the first request runs. A refusal that did nothing frees the key.
         * @example 7d1f0c52-order-118
         */
        'Idempotency-Key'?: string;
      };
      path: {
        /**
         * @description Id of the channel.
         * @example ch_Ph0toS4n
         */
        ch: string;
      };
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "mediaType": "IMAGE",
         *       "imageUrl": "https://cdn.northwind.example/sourdough.jpg",
         *       "caption": "Fresh sourdough, every morning at seven.",
         *       "altText": "A loaf of sourdough on a wooden board"
         *     }
         */
        'application/json': components['schemas']['MediaContainerInput'];
      };
    };
    responses: {
      /** @description Creates a media container and waits until the platform accepts it */
      201: {
        headers: {};
        content: {
          /**
           * @example {
           *       "channelId": "ch_Ph0toS4n",
           *       "containerId": "ctr_gY4mC6hP"
           *     }
           */
          'application/json': components['schemas']['MediaContainerCreated'];
        };
      };
    };
  };
  getContainer: {
    parameters: {
      path: {
        /**
         * @description Id of the channel.
         * @example ch_Ph0toS4n
         */
        ch: string;
        /**
         * @description Id of the container.
         * @example ctr_gY4mC6hP
         */
        ctr: string;
      };
    };
    responses: {
      /** @description Returns a media container with its status */
      200: {
        headers: {};
        content: {
          /**
           * @example {
           *       "channelId": "ch_Ph0toS4n",
           *       "containerId": "ctr_gY4mC6hP",
           *       "status": "finished",
           *       "statusDetail": null,
           *       "refusalCode": null,
           *       "mediaType": "IMAGE",
           *       "caption": "Fresh sourdough, every morning at seven.",
           *       "children": null,
           *       "platformContainerId": "17889615691921648",
           *       "mediaId": null,
           *       "permalink": null,
           *       "createdAt": "2026-01-31T08:00:00.240Z",
           *       "checkedAt": "2026-01-31T08:05:00.000Z",
           *       "nextCheckAt": null,
           *       "expiresAt": "2026-02-01T08:00:00.000Z",
           *       "publishedAt": null
           *     }
           */
          'application/json': components['schemas']['MediaContainer'];
        };
      };
    };
  };
  publishContainer: {
    parameters: {
      path: {
        /**
         * @description Id of the channel.
         * @example ch_Ph0toS4n
         */
        ch: string;
        /**
         * @description Id of the container.
         * @example ctr_gY4mC6hP
         */
        ctr: string;
      };
    };
    responses: {
      /** @description Publishes a finished media container, at most once */
      200: {
        headers: {};
        content: {
          /**
           * @example {
           *       "channelId": "ch_Ph0toS4n",
           *       "containerId": "ctr_gY4mC6hP",
           *       "mediaId": "17895695668004550",
           *       "permalink": "https://photoapp.example/p/sourdough"
           *     }
           */
          'application/json': components['schemas']['MediaContainerPublished'];
        };
      };
    };
  };
  listPhotoappConversations: {
    parameters: {
      query?: {
        /**
         * @description Returns only this conversation, with pages of its messages.
         * @example t_100012345678901
         */
        conversationId?: string;
        /** @description The previous `nextCursor`. */
        cursor?: string;
        /**
         * @description Records per page; 25 by default.
         * @example 50
         */
        limit?: number;
        /**
         * @description Filters by person.
         * @example 15550198
         */
        participantId?: string;
      };
      path: {
        /**
         * @description Id of the channel.
         * @example ch_Ph0toS4n
         */
        ch: string;
      };
    };
    responses: {
      /** @description Lists the account's conversations */
      200: {
        headers: {};
        content: {
          /**
           * @example {
           *       "conversations": [
           *         {
           *           "id": "t_100012345678901",
           *           "participantId": "15550198",
           *           "participantName": "Ana Torres",
           *           "updatedAt": "2026-01-31T08:00:00.000Z",
           *           "unreadCount": 1,
           *           "snippet": "Do you have sourdough today?",
           *           "messages": null
           *         }
           *       ],
           *       "nextCursor": null
           *     }
           */
          'application/json': components['schemas']['ConversationList'];
        };
      };
    };
  };
  getPhotoappInsights: {
    parameters: {
      query?: {
        /**
         * @description Dimensions to split totals by.
         * @example age
         */
        breakdown?: string;
        /**
         * @description The media object; the account by default.
         * @example 17895695668004550
         */
        mediaId?: string;
        /**
         * @description Metrics by the platform's names; a common selection by default.
         * @example reach
         */
        metrics?: string;
        /**
         * @description A total, or a value per period.
         * @example total_value
         */
        metricType?: 'total_value' | 'time_series';
        /**
         * @description For the account only.
         * @example day
         */
        period?: 'day' | 'week' | 'days_28' | 'lifetime';
        /**
         * @description Counts from this time.
         * @example 2026-01-30T00:00:00.000Z
         */
        since?: string;
        /**
         * @description Required by some demographic metrics.
         * @example last_30_days
         */
        timeframe?: string;
        /**
         * @description Counts until this time.
         * @example 2026-01-31T00:00:00.000Z
         */
        until?: string;
      };
      path: {
        /**
         * @description Id of the channel.
         * @example ch_Ph0toS4n
         */
        ch: string;
      };
    };
    responses: {
      /** @description Returns metrics of the account or of a media object */
      200: {
        headers: {};
        content: {
          /**
           * @example {
           *       "target": "account",
           *       "targetId": "17841405822304914",
           *       "metrics": [
           *         {
           *           "name": "reach",
           *           "period": "day",
           *           "values": [
           *             {
           *               "value": 1840,
           *               "endTime": "2026-01-31T08:00:00.000Z"
           *             }
           *           ],
           *           "breakdown": null
           *         }
           *       ],
           *       "unavailable": [
           *         "reached_audience_demographics"
           *       ]
           *     }
           */
          'application/json': components['schemas']['PhotoappInsights'];
        };
      };
    };
  };
  listPhotoappMedia: {
    parameters: {
      query?: {
        /** @description The previous `nextCursor`. */
        cursor?: string;
        /**
         * @description Records per page; 25 by default.
         * @example 50
         */
        limit?: number;
        /**
         * @description Returns only this media object, with its children.
         * @example 17895695668004550
         */
        mediaId?: string;
        /**
         * @description `posts` by default.
         * @example posts
         */
        source?: 'posts' | 'stories' | 'tagged';
      };
      path: {
        /**
         * @description Id of the channel.
         * @example ch_Ph0toS4n
         */
        ch: string;
      };
    };
    responses: {
      /** @description Lists the account's media */
      200: {
        headers: {};
        content: {
          /**
           * @example {
           *       "media": [
           *         {
           *           "id": "17895695668004550",
           *           "mediaType": "image",
           *           "mediaUrl": "https://cdn.northwind.example/sourdough.jpg",
           *           "thumbnailUrl": null,
           *           "permalink": "https://photoapp.example/p/sourdough",
           *           "createdAt": "2026-01-31T08:00:00.240Z",
           *           "productType": "FEED",
           *           "caption": "Fresh sourdough, every morning at seven.",
           *           "username": "sunrise.bakery",
           *           "likeCount": 57,
           *           "commentCount": 12,
           *           "children": null
           *         }
           *       ],
           *       "nextCursor": null
           *     }
           */
          'application/json': components['schemas']['PhotoappMediaList'];
        };
      };
    };
  };
  moderatePhotoappMedia: {
    parameters: {
      header?: {
        /**
         * @description Identifies one operation, with 1 to 255 printable ASCII characters. A repeated request with the same key and body returns the first response, and waits for it while the first request runs. A refusal that did nothing frees the key.
         * @example 7d1f0c52-order-118
         */
        'Idempotency-Key'?: string;
      };
      path: {
        /**
         * @description Id of the channel.
         * @example ch_Ph0toS4n
         */
        ch: string;
        /**
         * @description The media object, by its id in a list or an event.
         * @example 17895695668004550
         */
        mediaId: string;
      };
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "action": "disable_comments"
         *     }
         */
        'application/json': components['schemas']['PhotoappMediaModerationInput'];
      };
    };
    responses: {
      /** @description Enables or disables comments on a media object */
      200: {
        headers: {};
        content: {
          /**
           * @example {
           *       "channelId": "ch_Ph0toS4n",
           *       "mediaId": "17895695668004550",
           *       "action": "disable_comments",
           *       "ok": true
           *     }
           */
          'application/json': components['schemas']['PhotoappMediaModeration'];
        };
      };
    };
  };
  listPhotoappMentions: {
    parameters: {
      query?: {
        /**
         * @description The comment that mentions the account, by the id in its event.
         * @example 17858893269000001
         */
        commentId?: string;
        /** @description The previous `nextCursor`. */
        cursor?: string;
        /**
         * @description Records per page; 25 by default.
         * @example 50
         */
        limit?: number;
        /**
         * @description The media object whose caption mentions the account, by the id in its event.
         * @example 17895695668004550
         */
        mediaId?: string;
      };
      path: {
        /**
         * @description Id of the channel.
         * @example ch_Ph0toS4n
         */
        ch: string;
      };
    };
    responses: {
      /** @description Lists mentions of the account */
      200: {
        headers: {};
        content: {
          /**
           * @example {
           *       "mentions": [
           *         {
           *           "media": null,
           *           "comment": {
           *             "id": "17858893269000001",
           *             "text": "Try the sourdough of @sunrise.bakery!",
           *             "fromId": "17841400000000123",
           *             "username": "ana.torres",
           *             "createdAt": "2026-01-31T08:00:00.000Z",
           *             "isHidden": null,
           *             "parentId": null,
           *             "likeCount": 3
           *           }
           *         }
           *       ],
           *       "nextCursor": null
           *     }
           */
          'application/json': components['schemas']['PhotoappMentionList'];
        };
      };
    };
  };
  listScheduledPosts: {
    parameters: {
      query?: {
        /** @description The previous `nextCursor`. */
        cursor?: string;
        /**
         * @description Records per page; 50 by default.
         * @example 50
         */
        limit?: number;
        /**
         * @description Filters by status.
         * @example scheduled
         */
        status?: 'scheduled' | 'started' | 'failed' | 'cancelled';
      };
      path: {
        /**
         * @description Id of the channel.
         * @example ch_Ph0toS4n
         */
        ch: string;
      };
    };
    responses: {
      /** @description Lists the scheduled posts of the channel, newest first */
      200: {
        headers: {};
        content: {
          /**
           * @example {
           *       "scheduledPosts": [
           *         {
           *           "scheduledPostId": "sp_D6nE3kUx",
           *           "channelId": "ch_Ph0toS4n",
           *           "publishAt": "2026-02-14T07:00:00.000Z",
           *           "status": "scheduled",
           *           "reason": null,
           *           "statusDetail": null,
           *           "containerId": null,
           *           "container": {
           *             "mediaType": "IMAGE",
           *             "imageUrl": "https://cdn.northwind.example/sourdough.jpg",
           *             "caption": "Fresh sourdough, every morning at seven.",
           *             "altText": "A loaf of sourdough on a wooden board"
           *           },
           *           "createdBy": "key_c2Hn7UfK",
           *           "createdAt": "2026-01-31T08:00:00.240Z",
           *           "endedAt": null
           *         }
           *       ],
           *       "nextCursor": null
           *     }
           */
          'application/json': components['schemas']['ScheduledPostList'];
        };
      };
    };
  };
  schedulePost: {
    parameters: {
      header?: {
        /**
         * @description Identifies one operation, with 1 to 255 printable ASCII characters. A repeated request with the same key and body returns the first response, and waits for it while the first request runs. A refusal that did nothing frees the key.
         * @example 7d1f0c52-order-118
         */
        'Idempotency-Key'?: string;
      };
      path: {
        /**
         * @description Id of the channel.
         * @example ch_Ph0toS4n
         */
        ch: string;
      };
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "publishAt": "2026-02-14T07:00:00.000Z",
         *       "container": {
         *         "mediaType": "IMAGE",
         *         "imageUrl": "https://cdn.northwind.example/sourdough.jpg",
         *         "caption": "Fresh sourdough, every morning at seven.",
         *         "altText": "A loaf of sourdough on a wooden board"
         *       }
         *     }
         */
        'application/json': components['schemas']['ScheduledPostInput'];
      };
    };
    responses: {
      /** @description Schedules a post, which is created and published at its time */
      202: {
        headers: {};
        content: {
          /**
           * @example {
           *       "scheduledPostId": "sp_D6nE3kUx",
           *       "channelId": "ch_Ph0toS4n",
           *       "publishAt": "2026-02-14T07:00:00.000Z",
           *       "status": "scheduled",
           *       "reason": null,
           *       "statusDetail": null,
           *       "containerId": null,
           *       "container": {
           *         "mediaType": "IMAGE",
           *         "imageUrl": "https://cdn.northwind.example/sourdough.jpg",
           *         "caption": "Fresh sourdough, every morning at seven.",
           *         "altText": "A loaf of sourdough on a wooden board"
           *       },
           *       "createdBy": "key_c2Hn7UfK",
           *       "createdAt": "2026-01-31T08:00:00.240Z",
           *       "endedAt": null
           *     }
           */
          'application/json': components['schemas']['ScheduledPost'];
        };
      };
    };
  };
  getScheduledPost: {
    parameters: {
      path: {
        /**
         * @description Id of the channel.
         * @example ch_Ph0toS4n
         */
        ch: string;
        /**
         * @description Id of the scheduledPost.
         * @example sp_D6nE3kUx
         */
        sp: string;
      };
    };
    responses: {
      /** @description Returns a scheduled post */
      200: {
        headers: {};
        content: {
          /**
           * @example {
           *       "scheduledPostId": "sp_D6nE3kUx",
           *       "channelId": "ch_Ph0toS4n",
           *       "publishAt": "2026-02-14T07:00:00.000Z",
           *       "status": "scheduled",
           *       "reason": null,
           *       "statusDetail": null,
           *       "containerId": null,
           *       "container": {
           *         "mediaType": "IMAGE",
           *         "imageUrl": "https://cdn.northwind.example/sourdough.jpg",
           *         "caption": "Fresh sourdough, every morning at seven.",
           *         "altText": "A loaf of sourdough on a wooden board"
           *       },
           *       "createdBy": "key_c2Hn7UfK",
           *       "createdAt": "2026-01-31T08:00:00.240Z",
           *       "endedAt": null
           *     }
           */
          'application/json': components['schemas']['ScheduledPost'];
        };
      };
    };
  };
  changeScheduledPost: {
    parameters: {
      path: {
        /**
         * @description Id of the channel.
         * @example ch_Ph0toS4n
         */
        ch: string;
        /**
         * @description Id of the scheduledPost.
         * @example sp_D6nE3kUx
         */
        sp: string;
      };
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "publishAt": "2026-02-14T08:00:00.000Z"
         *     }
         */
        'application/json': components['schemas']['ScheduledPostChange'];
      };
    };
    responses: {
      /** @description Changes the time or the content of a post that has not started */
      200: {
        headers: {};
        content: {
          /**
           * @example {
           *       "scheduledPostId": "sp_D6nE3kUx",
           *       "channelId": "ch_Ph0toS4n",
           *       "publishAt": "2026-02-14T08:00:00.000Z",
           *       "status": "scheduled",
           *       "reason": null,
           *       "statusDetail": null,
           *       "containerId": null,
           *       "container": {
           *         "mediaType": "IMAGE",
           *         "imageUrl": "https://cdn.northwind.example/sourdough.jpg",
           *         "caption": "Fresh sourdough, every morning at seven.",
           *         "altText": "A loaf of sourdough on a wooden board"
           *       },
           *       "createdBy": "key_c2Hn7UfK",
           *       "createdAt": "2026-01-31T08:00:00.240Z",
           *       "endedAt": null
           *     }
           */
          'application/json': components['schemas']['ScheduledPost'];
        };
      };
    };
  };
  cancelScheduledPost: {
    parameters: {
      path: {
        /**
         * @description Id of the channel.
         * @example ch_Ph0toS4n
         */
        ch: string;
        /**
         * @description Id of the scheduledPost.
         * @example sp_D6nE3kUx
         */
        sp: string;
      };
    };
    responses: {
      /** @description Cancels a post that has not started */
      200: {
        headers: {};
        content: {
          /**
           * @example {
           *       "scheduledPostId": "sp_D6nE3kUx",
           *       "channelId": "ch_Ph0toS4n",
           *       "publishAt": "2026-02-14T07:00:00.000Z",
           *       "status": "cancelled",
           *       "reason": null,
           *       "statusDetail": null,
           *       "containerId": null,
           *       "container": {
           *         "mediaType": "IMAGE",
           *         "imageUrl": "https://cdn.northwind.example/sourdough.jpg",
           *         "caption": "Fresh sourdough, every morning at seven.",
           *         "altText": "A loaf of sourdough on a wooden board"
           *       },
           *       "createdBy": "key_c2Hn7UfK",
           *       "createdAt": "2026-01-31T08:00:00.240Z",
           *       "endedAt": "2026-01-31T08:10:00.000Z"
           *     }
           */
          'application/json': components['schemas']['ScheduledPost'];
        };
      };
    };
  };
  listScheduledMessages: {
    parameters: {
      query?: {
        /** @description The previous `nextCursor`. */
        cursor?: string;
        /**
         * @description Records per page; 50 by default.
         * @example 50
         */
        limit?: number;
        /**
         * @description Filters by status.
         * @example scheduled
         */
        status?: 'scheduled' | 'sending' | 'sent' | 'failed' | 'unknown' | 'cancelled';
      };
      path: {
        /**
         * @description Id of the channel.
         * @example ch_8fKq2ZrW
         */
        ch: string;
      };
    };
    responses: {
      /** @description Lists the scheduled messages of the channel, newest first */
      200: {
        headers: {};
        content: {
          /**
           * @example {
           *       "scheduledMessages": [
           *         {
           *           "scheduledMessageId": "sm_J2tV7mWq",
           *           "channelId": "ch_8fKq2ZrW",
           *           "sendAt": "2026-02-14T07:00:00.000Z",
           *           "status": "scheduled",
           *           "reason": null,
           *           "statusDetail": null,
           *           "refusalCode": null,
           *           "recipient": "15550198",
           *           "message": {
           *             "to": "15550198",
           *             "text": "Your order is ready. See you soon!"
           *           },
           *           "platformMessageId": null,
           *           "createdBy": "key_c2Hn7UfK",
           *           "createdAt": "2026-01-31T08:00:00.240Z",
           *           "endedAt": null
           *         }
           *       ],
           *       "nextCursor": null
           *     }
           */
          'application/json': components['schemas']['ScheduledMessageList'];
        };
      };
    };
  };
  scheduleMessage: {
    parameters: {
      header?: {
        /**
         * @description Identifies one operation, with 1 to 255 printable ASCII characters. A repeated request with the same key and body returns the first response, and waits for it while the first request runs. A refusal that did nothing frees the key.
         * @example 7d1f0c52-order-118
         */
        'Idempotency-Key'?: string;
      };
      path: {
        /**
         * @description Id of the channel.
         * @example ch_8fKq2ZrW
         */
        ch: string;
      };
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "sendAt": "2026-02-14T07:00:00.000Z",
         *       "message": {
         *         "to": "15550198",
         *         "text": "Your order is ready. See you soon!"
         *       }
         *     }
         */
        'application/json': components['schemas']['ScheduledMessageInput'];
      };
    };
    responses: {
      /** @description Schedules a message, which is sent once at its time */
      202: {
        headers: {};
        content: {
          /**
           * @example {
           *       "scheduledMessageId": "sm_J2tV7mWq",
           *       "channelId": "ch_8fKq2ZrW",
           *       "sendAt": "2026-02-14T07:00:00.000Z",
           *       "status": "scheduled",
           *       "reason": null,
           *       "statusDetail": null,
           *       "refusalCode": null,
           *       "recipient": "15550198",
           *       "message": {
           *         "to": "15550198",
           *         "text": "Your order is ready. See you soon!"
           *       },
           *       "platformMessageId": null,
           *       "createdBy": "key_c2Hn7UfK",
           *       "createdAt": "2026-01-31T08:00:00.240Z",
           *       "endedAt": null
           *     }
           */
          'application/json': components['schemas']['ScheduledMessage'];
        };
      };
    };
  };
  getScheduledMessage: {
    parameters: {
      path: {
        /**
         * @description Id of the channel.
         * @example ch_8fKq2ZrW
         */
        ch: string;
        /**
         * @description Id of the scheduledMessage.
         * @example sm_J2tV7mWq
         */
        sm: string;
      };
    };
    responses: {
      /** @description Returns a scheduled message with its content */
      200: {
        headers: {};
        content: {
          /**
           * @example {
           *       "scheduledMessageId": "sm_J2tV7mWq",
           *       "channelId": "ch_8fKq2ZrW",
           *       "sendAt": "2026-02-14T07:00:00.000Z",
           *       "status": "scheduled",
           *       "reason": null,
           *       "statusDetail": null,
           *       "refusalCode": null,
           *       "recipient": "15550198",
           *       "message": {
           *         "to": "15550198",
           *         "text": "Your order is ready. See you soon!"
           *       },
           *       "platformMessageId": null,
           *       "createdBy": "key_c2Hn7UfK",
           *       "createdAt": "2026-01-31T08:00:00.240Z",
           *       "endedAt": null
           *     }
           */
          'application/json': components['schemas']['ScheduledMessage'];
        };
      };
    };
  };
  changeScheduledMessage: {
    parameters: {
      path: {
        /**
         * @description Id of the channel.
         * @example ch_8fKq2ZrW
         */
        ch: string;
        /**
         * @description Id of the scheduledMessage.
         * @example sm_J2tV7mWq
         */
        sm: string;
      };
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "sendAt": "2026-02-14T08:00:00.000Z"
         *     }
         */
        'application/json': components['schemas']['ScheduledMessageChange'];
      };
    };
    responses: {
      /** @description Changes the time or the content of a message that is not sent yet */
      200: {
        headers: {};
        content: {
          /**
           * @example {
           *       "scheduledMessageId": "sm_J2tV7mWq",
           *       "channelId": "ch_8fKq2ZrW",
           *       "sendAt": "2026-02-14T08:00:00.000Z",
           *       "status": "scheduled",
           *       "reason": null,
           *       "statusDetail": null,
           *       "refusalCode": null,
           *       "recipient": "15550198",
           *       "message": {
           *         "to": "15550198",
           *         "text": "Your order is ready. See you soon!"
           *       },
           *       "platformMessageId": null,
           *       "createdBy": "key_c2Hn7UfK",
           *       "createdAt": "2026-01-31T08:00:00.240Z",
           *       "endedAt": null
           *     }
           */
          'application/json': components['schemas']['ScheduledMessage'];
        };
      };
    };
  };
  cancelScheduledMessage: {
    parameters: {
      path: {
        /**
         * @description Id of the channel.
         * @example ch_8fKq2ZrW
         */
        ch: string;
        /**
         * @description Id of the scheduledMessage.
         * @example sm_J2tV7mWq
         */
        sm: string;
      };
    };
    responses: {
      /** @description Cancels a message that is not sent yet */
      200: {
        headers: {};
        content: {
          /**
           * @example {
           *       "scheduledMessageId": "sm_J2tV7mWq",
           *       "channelId": "ch_8fKq2ZrW",
           *       "sendAt": "2026-02-14T07:00:00.000Z",
           *       "status": "cancelled",
           *       "reason": null,
           *       "statusDetail": null,
           *       "refusalCode": null,
           *       "recipient": null,
           *       "message": null,
           *       "platformMessageId": null,
           *       "createdBy": "key_c2Hn7UfK",
           *       "createdAt": "2026-01-31T08:00:00.240Z",
           *       "endedAt": "2026-01-31T08:10:00.000Z"
           *     }
           */
          'application/json': components['schemas']['ScheduledMessage'];
        };
      };
    };
  };
  getChannelStatistics: {
    parameters: {
      query?: {
        /**
         * @description Number of buckets of equal length; 60 by default.
         * @example 24
         */
        buckets?: number;
        /**
         * @description Start of the time range; one hour before its end by default.
         * @example 2026-01-30T00:00:00.000Z
         */
        since?: string;
        /**
         * @description End of the time range; now by default.
         * @example 2026-01-31T00:00:00.000Z
         */
        until?: string;
      };
      path: {
        /**
         * @description Id of the channel.
         * @example ch_8fKq2ZrW
         */
        ch: string;
      };
    };
    responses: {
      /** @description Counts the deliveries of each destination over time, with their latency */
      200: {
        headers: {};
        content: {
          /**
           * @example {
           *       "since": "2026-01-30T00:00:00.000Z",
           *       "until": "2026-01-31T00:00:00.000Z",
           *       "bucketSeconds": 3600,
           *       "isComplete": true,
           *       "destinations": [
           *         {
           *           "type": "webhook",
           *           "url": "https://hooks.northwind.example/channels",
           *           "label": null,
           *           "subscriptionId": null,
           *           "isDeleted": true,
           *           "buckets": [
           *             {
           *               "at": "2026-01-30T08:00:00.000Z",
           *               "deliveries": 128,
           *               "delivered": 126,
           *               "failed": 2,
           *               "waiting": 0,
           *               "failedAttempts": 4,
           *               "latencyMs": {
           *                 "p50": 180,
           *                 "p95": 420
           *               }
           *             }
           *           ]
           *         }
           *       ]
           *     }
           */
          'application/json': components['schemas']['ChannelStatistics'];
        };
      };
    };
  };
  listSubscriptions: {
    parameters: {
      query?: {
        /** @description The previous `nextCursor`. */
        cursor?: string;
        /**
         * @description Records per page; 50 by default.
         * @example 50
         */
        limit?: number;
      };
      path: {
        /**
         * @description Id of the channel.
         * @example ch_8fKq2ZrW
         */
        ch: string;
      };
    };
    responses: {
      /** @description Lists the channel's event subscriptions, newest first */
      200: {
        headers: {};
        content: {
          /**
           * @example {
           *       "subscriptions": [
           *         {
           *           "subscriptionId": "sub_Hc5wXn9B",
           *           "url": "https://hooks.northwind.example/channels/orders",
           *           "events": [
           *             "chatapp.message.received"
           *           ],
           *           "label": "Order desk",
           *           "enabled": true,
           *           "createdAt": "2026-01-12T10:02:00.000Z",
           *           "lastDeliveredAt": "2026-01-31T08:00:00.512Z",
           *           "lastFailureAt": null
           *         }
           *       ],
           *       "nextCursor": null
           *     }
           */
          'application/json': components['schemas']['EventSubscriptionList'];
        };
      };
    };
  };
  createSubscription: {
    parameters: {
      path: {
        /**
         * @description Id of the channel.
         * @example ch_8fKq2ZrW
         */
        ch: string;
      };
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "url": "https://hooks.northwind.example/channels",
         *       "events": [
         *         "chatapp.message.received"
         *       ],
         *       "label": "Order desk"
         *     }
         */
        'application/json': components['schemas']['EventSubscriptionInput'];
      };
    };
    responses: {
      /** @description Creates an event subscription, which sends selected events to a URL */
      201: {
        headers: {};
        content: {
          /**
           * @example {
           *       "subscription": {
           *         "subscriptionId": "sub_Hc5wXn9B",
           *         "url": "https://hooks.northwind.example/channels/orders",
           *         "events": [
           *           "chatapp.message.received"
           *         ],
           *         "label": "Order desk",
           *         "enabled": true,
           *         "createdAt": "2026-01-12T10:02:00.000Z",
           *         "lastDeliveredAt": "2026-01-31T08:00:00.512Z",
           *         "lastFailureAt": null
           *       }
           *     }
           */
          'application/json': components['schemas']['SubscriptionAnswer'];
        };
      };
    };
  };
  getSubscription: {
    parameters: {
      path: {
        /**
         * @description Id of the channel.
         * @example ch_8fKq2ZrW
         */
        ch: string;
        /**
         * @description Id of the subscription.
         * @example sub_Hc5wXn9B
         */
        sub: string;
      };
    };
    responses: {
      /** @description Returns an event subscription */
      200: {
        headers: {};
        content: {
          /**
           * @example {
           *       "subscription": {
           *         "subscriptionId": "sub_Hc5wXn9B",
           *         "url": "https://hooks.northwind.example/channels/orders",
           *         "events": [
           *           "chatapp.message.received"
           *         ],
           *         "label": "Order desk",
           *         "enabled": true,
           *         "createdAt": "2026-01-12T10:02:00.000Z",
           *         "lastDeliveredAt": "2026-01-31T08:00:00.512Z",
           *         "lastFailureAt": null
           *       }
           *     }
           */
          'application/json': components['schemas']['SubscriptionAnswer'];
        };
      };
    };
  };
  deleteSubscription: {
    parameters: {
      path: {
        /**
         * @description Id of the channel.
         * @example ch_8fKq2ZrW
         */
        ch: string;
        /**
         * @description Id of the subscription.
         * @example sub_Hc5wXn9B
         */
        sub: string;
      };
    };
    responses: {
      /** @description Deletes an event subscription */
      204: {
        headers: {};
      };
    };
  };
  editSubscription: {
    parameters: {
      path: {
        /**
         * @description Id of the channel.
         * @example ch_8fKq2ZrW
         */
        ch: string;
        /**
         * @description Id of the subscription.
         * @example sub_Hc5wXn9B
         */
        sub: string;
      };
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "url": "https://hooks.northwind.example/channels/orders",
         *       "events": [
         *         "chatapp.message.received",
         *         "chatapp.message.status"
         *       ],
         *       "pending": "follow"
         *     }
         */
        'application/json': components['schemas']['EventSubscriptionChange'];
      };
    };
    responses: {
      /** @description Updates an event subscription */
      200: {
        headers: {};
        content: {
          /**
           * @example {
           *       "subscription": {
           *         "subscriptionId": "sub_Hc5wXn9B",
           *         "url": "https://hooks.northwind.example/channels/orders",
           *         "events": [
           *           "chatapp.message.received"
           *         ],
           *         "label": "Order desk",
           *         "enabled": true,
           *         "createdAt": "2026-01-12T10:02:00.000Z",
           *         "lastDeliveredAt": "2026-01-31T08:00:00.512Z",
           *         "lastFailureAt": null
           *       }
           *     }
           */
          'application/json': components['schemas']['SubscriptionAnswer'];
        };
      };
    };
  };
  testSubscription: {
    parameters: {
      path: {
        /**
         * @description Id of the channel.
         * @example ch_8fKq2ZrW
         */
        ch: string;
        /**
         * @description Id of the subscription.
         * @example sub_Hc5wXn9B
         */
        sub: string;
      };
    };
    requestBody?: {
      content: {
        /**
         * @example {
         *       "eventType": "chatapp.message.received"
         *     }
         */
        'application/json': components['schemas']['DestinationTestInput'];
      };
    };
    responses: {
      /** @description Sends a test event to an event subscription and returns the attempt */
      200: {
        headers: {};
        content: {
          /**
           * @example {
           *       "channelId": "ch_8fKq2ZrW",
           *       "subscriptionId": null,
           *       "url": "https://hooks.northwind.example/channels",
           *       "eventType": "chatapp.message.received",
           *       "deliveryId": "wd_Zk9Wq3Lt",
           *       "eventId": "evt_b7Vd2NxS",
           *       "payload": "{\"object\":\"chatapp\",\"entry\":[{\"id\":\"102290129340398\",\"changes\":[{\"field\":\"messages\",\"value\":{\"messaging_product\":\"chatapp\",\"metadata\":{\"display_phone_number\":\"+1 555 0142\",\"phone_number_id\":\"106540352242922\"},\"contacts\":[{\"profile\":{\"name\":\"Ana Torres\"},\"wa_id\":\"15550198\"}],\"messages\":[{\"from\":\"15550198\",\"id\":\"wamid.HBgLMTU1NTAxOTg\",\"timestamp\":\"1769846400\",\"type\":\"text\",\"text\":{\"body\":\"Do you have sourdough today?\"}}]}}]}]}",
           *       "attempt": {
           *         "number": 1,
           *         "url": "https://hooks.northwind.example/channels",
           *         "startedAt": "2026-01-31T08:00:00.300Z",
           *         "durationMs": 212,
           *         "outcome": "accepted",
           *         "status": 200,
           *         "responseHeaders": {
           *           "content-type": "application/json"
           *         },
           *         "responseBody": "{\"ok\":true}",
           *         "error": null,
           *         "batch": null
           *       }
           *     }
           */
          'application/json': components['schemas']['DestinationTest'];
        };
      };
    };
  };
  listTestEvents: {
    parameters: {
      query?: {
        /** @description The previous `nextCursor`. */
        cursor?: string;
        /**
         * @description Records per page; 50 by default.
         * @example 50
         */
        limit?: number;
      };
      path: {
        /**
         * @description Id of the channel.
         * @example ch_8fKq2ZrW
         */
        ch: string;
      };
    };
    responses: {
      /** @description Lists the test events of the channel's destinations, newest first */
      200: {
        headers: {};
        content: {
          /**
           * @example {
           *       "testEvents": [
           *         {
           *           "channelId": "ch_8fKq2ZrW",
           *           "subscriptionId": null,
           *           "url": "https://hooks.northwind.example/channels",
           *           "eventType": "chatapp.message.received",
           *           "deliveryId": "wd_Zk9Wq3Lt",
           *           "eventId": "evt_b7Vd2NxS",
           *           "payload": "{\"object\":\"chatapp\",\"entry\":[{\"id\":\"102290129340398\",\"changes\":[{\"field\":\"messages\",\"value\":{\"messaging_product\":\"chatapp\",\"metadata\":{\"display_phone_number\":\"+1 555 0142\",\"phone_number_id\":\"106540352242922\"},\"contacts\":[{\"profile\":{\"name\":\"Ana Torres\"},\"wa_id\":\"15550198\"}],\"messages\":[{\"from\":\"15550198\",\"id\":\"wamid.HBgLMTU1NTAxOTg\",\"timestamp\":\"1769846400\",\"type\":\"text\",\"text\":{\"body\":\"Do you have sourdough today?\"}}]}}]}]}",
           *           "attempt": {
           *             "number": 1,
           *             "url": "https://hooks.northwind.example/channels",
           *             "startedAt": "2026-01-31T08:00:00.300Z",
           *             "durationMs": 212,
           *             "outcome": "accepted",
           *             "status": 200,
           *             "responseHeaders": {
           *               "content-type": "application/json"
           *             },
           *             "responseBody": "{\"ok\":true}",
           *             "error": null,
           *             "batch": null
           *           },
           *           "isTest": true,
           *           "createdAt": "2026-01-31T08:00:00.000Z"
           *         }
           *       ],
           *       "nextCursor": null
           *     }
           */
          'application/json': components['schemas']['TestEventList'];
        };
      };
    };
  };
  getTestEvent: {
    parameters: {
      path: {
        /**
         * @description Id of the channel.
         * @example ch_8fKq2ZrW
         */
        ch: string;
        /**
         * @description Id of the delivery.
         * @example wd_Zk9Wq3Lt
         */
        wd: string;
      };
    };
    responses: {
      /** @description Returns a test event with its payload and attempt */
      200: {
        headers: {};
        content: {
          /**
           * @example {
           *       "channelId": "ch_8fKq2ZrW",
           *       "subscriptionId": null,
           *       "url": "https://hooks.northwind.example/channels",
           *       "eventType": "chatapp.message.received",
           *       "deliveryId": "wd_Zk9Wq3Lt",
           *       "eventId": "evt_b7Vd2NxS",
           *       "payload": "{\"object\":\"chatapp\",\"entry\":[{\"id\":\"102290129340398\",\"changes\":[{\"field\":\"messages\",\"value\":{\"messaging_product\":\"chatapp\",\"metadata\":{\"display_phone_number\":\"+1 555 0142\",\"phone_number_id\":\"106540352242922\"},\"contacts\":[{\"profile\":{\"name\":\"Ana Torres\"},\"wa_id\":\"15550198\"}],\"messages\":[{\"from\":\"15550198\",\"id\":\"wamid.HBgLMTU1NTAxOTg\",\"timestamp\":\"1769846400\",\"type\":\"text\",\"text\":{\"body\":\"Do you have sourdough today?\"}}]}}]}]}",
           *       "attempt": {
           *         "number": 1,
           *         "url": "https://hooks.northwind.example/channels",
           *         "startedAt": "2026-01-31T08:00:00.300Z",
           *         "durationMs": 212,
           *         "outcome": "accepted",
           *         "status": 200,
           *         "responseHeaders": {
           *           "content-type": "application/json"
           *         },
           *         "responseBody": "{\"ok\":true}",
           *         "error": null,
           *         "batch": null
           *       },
           *       "isTest": true,
           *       "createdAt": "2026-01-31T08:00:00.000Z"
           *     }
           */
          'application/json': components['schemas']['TestEvent'];
        };
      };
    };
  };
  listTestEventRequests: {
    parameters: {
      path: {
        /**
         * @description Id of the channel.
         * @example ch_8fKq2ZrW
         */
        ch: string;
        /**
         * @description Id of the delivery.
         * @example wd_Zk9Wq3Lt
         */
        wd: string;
      };
    };
    responses: {
      /** @description Returns what a test event sent */
      200: {
        headers: {};
        content: {
          /**
           * @example {
           *       "requests": [
           *         {
           *           "attempt": 1,
           *           "url": "https://hooks.northwind.example/channels",
           *           "headers": {
           *             "content-type": "application/json",
           *             "webhook-id": "wd_Zk9Wq3Lt",
           *             "webhook-timestamp": "1769846400",
           *             "webhook-signature": "v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=",
           *             "x-service-attempt": "1",
           *             "x-service-delivery-id": "wd_Zk9Wq3Lt",
           *             "x-service-event-id": "evt_b7Vd2NxS",
           *             "x-service-event-type": "chatapp.message.received",
           *             "x-service-signature-256": "sha256=6b1f4c2e0d9a8b7c6d5e4f3a2b1c0d9e8f7a6b5c4d3e2f1a0b9c8d7e6f5a4b3c"
           *           },
           *           "bodySha256": "9f2c5b1a7e8d4c3b2a1f0e9d8c7b6a5f4e3d2c1b0a9f8e7d6c5b4a3f2e1d0c9b",
           *           "events": null
           *         }
           *       ]
           *     }
           */
          'application/json': components['schemas']['SentRequestList'];
        };
      };
    };
  };
  showTyping: {
    parameters: {
      path: {
        /**
         * @description Id of the channel.
         * @example ch_8fKq2ZrW
         */
        ch: string;
      };
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "messageId": "wamid.HBgLMTU1NTAxOTg"
         *     }
         */
        'application/json': components['schemas']['TypingInput'];
      };
    };
    responses: {
      /** @description Shows a typing indicator for about 25 seconds or until a message is sent */
      200: {
        headers: {};
        content: {
          /**
           * @example {
           *       "channelId": "ch_8fKq2ZrW",
           *       "typing": true
           *     }
           */
          'application/json': components['schemas']['TypingShown'];
        };
      };
    };
  };
  listDeliveries: {
    parameters: {
      query?: {
        /** @description Filters by channel: up to 50 ids, comma-separated. */
        channelId?: string;
        /** @description The previous `nextCursor`. */
        cursor?: string;
        /**
         * @description `webhook`, or the ids of subscriptions and listeners: up to 20, comma-separated.
         * @example webhook
         */
        destination?: string;
        /** @description Filters by event type: one or more of chatapp.message.received, chatapp.message.status, photoapp.message.received, photoapp.comment.received, pageapp.message.received, pageapp.message.reaction, pageapp.message.read, pageapp.message.delivered, pageapp.postback.received, pageapp.comment.received, pageapp.post.changed, chatapp.other.received, photoapp.other.received, pageapp.other.received, comma-separated. */
        eventType?: string;
        /** @description Filters by the response to the last attempt: classes such as `5xx`, statuses such as `404`, or `none` for no response, comma-separated. */
        httpStatus?: string;
        /** @description Adds to each delivery what takes further reads: one or more of lastAttempt, preview, comma-separated. */
        include?: string;
        /**
         * @description Records per page; 50 by default.
         * @example 50
         */
        limit?: number;
        /**
         * @description The platform's id of the message.
         * @example wamid.HBgLMTU1NTAxOTg
         */
        platformMessageId?: string;
        /**
         * @description `channel:<id>` or `workspace:<id>`; the workspace in X-Workspace-Id by default.
         * @example channel:ch_8fKq2ZrW
         */
        scope?: string;
        /** @description The id of a delivery, an event, a replay, a channel, a subscription, a listener, a workflow or a trace, the `webhook-id` of a request, a sender, a message id of the platform, or else a text in the body. Bodies have no index, so a page compares the text with the newest 2,000 deliveries that the other filters leave, or 4 MiB of bodies; `search` in the answer says how far it came, and the next page continues there. Bodies over 64 KiB are not compared. */
        search?: string;
        /**
         * @description The sender's id at the platform.
         * @example 15550198
         */
        sender?: string;
        /**
         * @description Created at or after this time.
         * @example 2026-01-30T00:00:00.000Z
         */
        since?: string;
        /**
         * @description Filters by status: one or more of pending, retrying, delivered, exhausted, cancelled, skipped, comma-separated.
         * @example delivered
         */
        status?: string;
        /**
         * @description Created before this time.
         * @example 2026-01-31T00:00:00.000Z
         */
        until?: string;
      };
    };
    responses: {
      /** @description Lists and searches deliveries without payloads and attempts, newest first */
      200: {
        headers: {};
        content: {
          /**
           * @example {
           *       "deliveries": [
           *         {
           *           "deliveryId": "wd_Zk9Wq3Lt",
           *           "eventId": "evt_b7Vd2NxS",
           *           "channelId": "ch_8fKq2ZrW",
           *           "channelName": "Sunrise Bakery",
           *           "eventType": "chatapp.message.received",
           *           "destination": null,
           *           "status": "delivered",
           *           "sender": "15550198",
           *           "platformMessageId": "wamid.HBgLMTU1NTAxOTg",
           *           "receivedAt": "2026-01-31T08:00:00.120Z",
           *           "createdAt": "2026-01-31T08:00:00.240Z",
           *           "nextAttemptAt": null,
           *           "waitsForCircuit": null,
           *           "skipReason": null,
           *           "attemptCount": 1,
           *           "cancellation": null,
           *           "workflowId": "replay/rpl_sD9vG3bX",
           *           "replayOf": null,
           *           "replayId": null,
           *           "traceId": "4bf92f3577b34da6a3ce929d0e0e4736",
           *           "erasedAt": null
           *         }
           *       ],
           *       "nextCursor": null
           *     }
           */
          'application/json': components['schemas']['DeliveryList'];
        };
      };
    };
  };
  getDelivery: {
    parameters: {
      path: {
        /**
         * @description Id of the delivery.
         * @example wd_Zk9Wq3Lt
         */
        wd: string;
      };
    };
    responses: {
      /** @description Returns a delivery with its payload and attempts */
      200: {
        headers: {};
        content: {
          /**
           * @example {
           *       "deliveryId": "wd_Zk9Wq3Lt",
           *       "eventId": "evt_b7Vd2NxS",
           *       "channelId": "ch_8fKq2ZrW",
           *       "channelName": "Sunrise Bakery",
           *       "eventType": "chatapp.message.received",
           *       "destination": {
           *         "type": "webhook",
           *         "url": "https://hooks.northwind.example/channels",
           *         "label": null,
           *         "subscriptionId": null,
           *         "listenerId": null
           *       },
           *       "status": "delivered",
           *       "sender": "15550198",
           *       "platformMessageId": "wamid.HBgLMTU1NTAxOTg",
           *       "receivedAt": "2026-01-31T08:00:00.120Z",
           *       "createdAt": "2026-01-31T08:00:00.240Z",
           *       "nextAttemptAt": null,
           *       "waitsForCircuit": null,
           *       "skipReason": null,
           *       "attemptCount": 1,
           *       "cancellation": null,
           *       "workflowId": null,
           *       "replayOf": null,
           *       "replayId": null,
           *       "traceId": "4bf92f3577b34da6a3ce929d0e0e4736",
           *       "erasedAt": null,
           *       "payload": "{\"object\":\"chatapp\",\"entry\":[{\"id\":\"102290129340398\",\"changes\":[{\"field\":\"messages\",\"value\":{\"messaging_product\":\"chatapp\",\"metadata\":{\"display_phone_number\":\"+1 555 0142\",\"phone_number_id\":\"106540352242922\"},\"contacts\":[{\"profile\":{\"name\":\"Ana Torres\"},\"wa_id\":\"15550198\"}],\"messages\":[{\"from\":\"15550198\",\"id\":\"wamid.HBgLMTU1NTAxOTg\",\"timestamp\":\"1769846400\",\"type\":\"text\",\"text\":{\"body\":\"Do you have sourdough today?\"}}]}}]}]}",
           *       "attempts": [
           *         {
           *           "number": 1,
           *           "url": "https://hooks.northwind.example/channels",
           *           "startedAt": "2026-01-31T08:00:00.300Z",
           *           "durationMs": 212,
           *           "outcome": "accepted",
           *           "status": 200,
           *           "responseHeaders": {
           *             "content-type": "application/json"
           *           },
           *           "responseBody": "{\"ok\":true}",
           *           "error": null,
           *           "batch": null
           *         }
           *       ]
           *     }
           */
          'application/json': components['schemas']['Delivery'];
        };
      };
    };
  };
  cancelDelivery: {
    parameters: {
      path: {
        /**
         * @description Id of the delivery.
         * @example wd_Zk9Wq3Lt
         */
        wd: string;
      };
    };
    responses: {
      /** @description Cancels a waiting delivery */
      200: {
        headers: {};
        content: {
          /**
           * @example {
           *       "deliveryId": "wd_Zk9Wq3Lt",
           *       "status": "cancelled"
           *     }
           */
          'application/json': components['schemas']['DeliveryCancel'];
        };
      };
    };
  };
  replayDelivery: {
    parameters: {
      header?: {
        /**
         * @description Identifies one operation, with 1 to 255 printable ASCII characters. A repeated request with the same key and body returns the first response, and waits for it while the first request runs. A refusal that did nothing frees the key.
         * @example 7d1f0c52-order-118
         */
        'Idempotency-Key'?: string;
      };
      path: {
        /**
         * @description Id of the delivery.
         * @example wd_Zk9Wq3Lt
         */
        wd: string;
      };
    };
    requestBody?: {
      content: {
        /**
         * @example {
         *       "destination": "sub_Hc5wXn9B"
         *     }
         */
        'application/json': components['schemas']['DeliveryReplayInput'];
      };
    };
    responses: {
      /** @description Sends the event of a delivery again as a new delivery */
      202: {
        headers: {};
        content: {
          /**
           * @example {
           *       "deliveryId": "wd_Zk9Wq3Lt",
           *       "eventId": "evt_b7Vd2NxS",
           *       "channelId": "ch_8fKq2ZrW",
           *       "channelName": "Sunrise Bakery",
           *       "eventType": "chatapp.message.received",
           *       "destination": {
           *         "type": "webhook",
           *         "url": "https://hooks.northwind.example/channels",
           *         "label": null,
           *         "subscriptionId": null,
           *         "listenerId": null
           *       },
           *       "status": "delivered",
           *       "sender": "15550198",
           *       "platformMessageId": "wamid.HBgLMTU1NTAxOTg",
           *       "receivedAt": "2026-01-31T08:00:00.120Z",
           *       "createdAt": "2026-01-31T08:00:00.240Z",
           *       "nextAttemptAt": null,
           *       "waitsForCircuit": null,
           *       "skipReason": null,
           *       "attemptCount": 1,
           *       "cancellation": null,
           *       "workflowId": null,
           *       "replayOf": null,
           *       "replayId": null,
           *       "traceId": "4bf92f3577b34da6a3ce929d0e0e4736",
           *       "erasedAt": null
           *     }
           */
          'application/json': components['schemas']['DeliverySummary'];
        };
      };
    };
  };
  listDeliveryRequests: {
    parameters: {
      path: {
        /**
         * @description Id of the delivery.
         * @example wd_Zk9Wq3Lt
         */
        wd: string;
      };
    };
    responses: {
      /** @description Returns what each attempt of a delivery sent */
      200: {
        headers: {};
        content: {
          /**
           * @example {
           *       "requests": [
           *         {
           *           "attempt": 1,
           *           "url": "https://hooks.northwind.example/channels",
           *           "headers": {
           *             "content-type": "application/json",
           *             "webhook-id": "wd_Zk9Wq3Lt",
           *             "webhook-timestamp": "1769846400",
           *             "webhook-signature": "v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=",
           *             "x-service-attempt": "1",
           *             "x-service-delivery-id": "wd_Zk9Wq3Lt",
           *             "x-service-event-id": "evt_b7Vd2NxS",
           *             "x-service-event-type": "chatapp.message.received",
           *             "x-service-signature-256": "sha256=6b1f4c2e0d9a8b7c6d5e4f3a2b1c0d9e8f7a6b5c4d3e2f1a0b9c8d7e6f5a4b3c"
           *           },
           *           "bodySha256": "9f2c5b1a7e8d4c3b2a1f0e9d8c7b6a5f4e3d2c1b0a9f8e7d6c5b4a3f2e1d0c9b",
           *           "events": null
           *         }
           *       ]
           *     }
           */
          'application/json': components['schemas']['SentRequestList'];
        };
      };
    };
  };
  retryDelivery: {
    parameters: {
      path: {
        /**
         * @description Id of the delivery.
         * @example wd_Zk9Wq3Lt
         */
        wd: string;
      };
    };
    responses: {
      /** @description Sends a waiting delivery now */
      202: {
        headers: {};
        content: {
          /**
           * @example {
           *       "deliveryId": "wd_Zk9Wq3Lt",
           *       "status": "pending"
           *     }
           */
          'application/json': components['schemas']['DeliveryRetry'];
        };
      };
    };
  };
  countDeliveries: {
    parameters: {
      query: {
        /**
         * @description How many; 60 by default.
         * @example 24
         */
        buckets?: number;
        /** @description Filters by channel: up to 50 ids, comma-separated. */
        channelId?: string;
        /**
         * @description `webhook`, or the ids of subscriptions and listeners: up to 20, comma-separated.
         * @example webhook
         */
        destination?: string;
        /** @description Filters by event type: one or more of chatapp.message.received, chatapp.message.status, photoapp.message.received, photoapp.comment.received, pageapp.message.received, pageapp.message.reaction, pageapp.message.read, pageapp.message.delivered, pageapp.postback.received, pageapp.comment.received, pageapp.post.changed, chatapp.other.received, photoapp.other.received, pageapp.other.received, comma-separated. */
        eventType?: string;
        /** @description Filters by the response to the last attempt: classes such as `5xx`, statuses such as `404`, or `none` for no response, comma-separated. */
        httpStatus?: string;
        /**
         * @description The platform's id of the message.
         * @example wamid.HBgLMTU1NTAxOTg
         */
        platformMessageId?: string;
        /**
         * @description `channel:<id>` or `workspace:<id>`; the workspace in X-Workspace-Id by default.
         * @example channel:ch_8fKq2ZrW
         */
        scope?: string;
        /**
         * @description The sender's id at the platform.
         * @example 15550198
         */
        sender?: string;
        /**
         * @description Begin of the first bucket.
         * @example 2026-01-30T00:00:00.000Z
         */
        since: string;
        /**
         * @description Filters by status: one or more of pending, retrying, delivered, exhausted, cancelled, skipped, comma-separated.
         * @example delivered
         */
        status?: string;
        /**
         * @description End of the last bucket. Default: now.
         * @example 2026-01-31T00:00:00.000Z
         */
        until?: string;
      };
    };
    responses: {
      /** @description Counts deliveries by time and result */
      200: {
        headers: {};
        content: {
          /**
           * @example {
           *       "since": "2026-01-30T00:00:00.000Z",
           *       "until": "2026-01-31T00:00:00.000Z",
           *       "bucketMs": 3600000,
           *       "isComplete": true,
           *       "buckets": [
           *         {
           *           "at": "2026-01-31T08:00:00.000Z",
           *           "delivered": 126,
           *           "failed": 2,
           *           "waiting": 0,
           *           "notSent": 0
           *         }
           *       ]
           *     }
           */
          'application/json': components['schemas']['DeliveryHistogram'];
        };
      };
    };
  };
  streamDeliveries: {
    parameters: {
      query: {
        /** @description Filters by event type: one or more of chatapp.message.received, chatapp.message.status, photoapp.message.received, photoapp.comment.received, pageapp.message.received, pageapp.message.reaction, pageapp.message.read, pageapp.message.delivered, pageapp.postback.received, pageapp.comment.received, pageapp.post.changed, chatapp.other.received, photoapp.other.received, pageapp.other.received, comma-separated. */
        eventType?: string;
        /**
         * @description `channel:<id>`, or `workspace:<id>` for all channels of the workspace in X-Workspace-Id.
         * @example channel:ch_8fKq2ZrW
         */
        scope: string;
        /**
         * @description Filters by status: one or more of pending, retrying, delivered, exhausted, cancelled, skipped, comma-separated.
         * @example delivered
         */
        status?: string;
      };
      header?: {
        /**
         * @description The id of the last received event, after which the stream resumes. By default, it starts now.
         * @example 48217-wd_Zk9Wq3Lt
         */
        'Last-Event-ID'?: string;
      };
    };
    responses: {
      /** @description Server-sent events until one side closes the stream. The data of a `delivery` event is one DeliverySummary in one line of JSON. To resume after an event, send its id as Last-Event-ID. A `closed` event with `{"reason"}` says why the server closes the stream. A comment line is sent every 15 s. */
      200: {
        headers: {};
        content: {
          /**
           * @example id: 48217-wd_Zk9Wq3Lt
           *     event: delivery
           *     data: {"deliveryId":"wd_Zk9Wq3Lt","eventId":"evt_b7Vd2NxS","channelId":"ch_8fKq2ZrW","channelName":"Sunrise Bakery","eventType":"chatapp.message.received","destination":{"type":"webhook","url":"https://hooks.northwind.example/channels","label":null,"subscriptionId":null,"listenerId":null},"status":"delivered","sender":"15550198","platformMessageId":"wamid.HBgLMTU1NTAxOTg","receivedAt":"2026-01-31T08:00:00.120Z","createdAt":"2026-01-31T08:00:00.240Z","nextAttemptAt":null,"waitsForCircuit":null,"skipReason":null,"attemptCount":1,"cancellation":null,"workflowId":null,"replayOf":null,"replayId":null,"traceId":"4bf92f3577b34da6a3ce929d0e0e4736","erasedAt":null}
           */
          'text/event-stream': string;
        };
      };
    };
  };
  getHealth: {
    parameters: {};
    responses: {
      /** @description Reports that the process is running */
      200: {
        headers: {};
        content: {
          /**
           * @example {
           *       "status": "ok"
           *     }
           */
          'application/json': components['schemas']['Health'];
        };
      };
    };
  };
  acceptInvitation: {
    parameters: {};
    requestBody: {
      content: {
        /**
         * @example {
         *       "token": "ExampleInvitationTokenExampleInvitationToke"
         *     }
         */
        'application/json': components['schemas']['InvitationAcceptInput'];
      };
    };
    responses: {
      /** @description Accepts an invitation */
      200: {
        headers: {};
        content: {
          /**
           * @example {
           *       "organizationId": "org_N0rthw1d",
           *       "role": "member",
           *       "workspaceId": "ws_4Tg7LmQ2",
           *       "workspaceRole": "developer"
           *     }
           */
          'application/json': components['schemas']['InvitationAccepted'];
        };
      };
    };
  };
  createOrganization: {
    parameters: {};
    requestBody: {
      content: {
        /**
         * @example {
         *       "name": "Northwind Agency"
         *     }
         */
        'application/json': components['schemas']['OrganizationPatch'];
      };
    };
    responses: {
      /** @description Creates an organization */
      201: {
        headers: {};
        content: {
          /**
           * @example {
           *       "id": "org_N0rthw1d",
           *       "name": "Northwind Agency",
           *       "createdAt": "2026-01-12T09:00:00.000Z"
           *     }
           */
          'application/json': components['schemas']['Organization'];
        };
      };
    };
  };
  getOrganization: {
    parameters: {
      path: {
        /**
         * @description Id of the organization.
         * @example org_N0rthw1d
         */
        org: string;
      };
    };
    responses: {
      /** @description Returns an organization */
      200: {
        headers: {};
        content: {
          /**
           * @example {
           *       "id": "org_N0rthw1d",
           *       "name": "Northwind Agency",
           *       "createdAt": "2026-01-12T09:00:00.000Z"
           *     }
           */
          'application/json': components['schemas']['Organization'];
        };
      };
    };
  };
  updateOrganization: {
    parameters: {
      path: {
        /**
         * @description Id of the organization.
         * @example org_N0rthw1d
         */
        org: string;
      };
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "name": "Northwind Agency"
         *     }
         */
        'application/json': components['schemas']['OrganizationPatch'];
      };
    };
    responses: {
      /** @description Renames an organization */
      200: {
        headers: {};
        content: {
          /**
           * @example {
           *       "id": "org_N0rthw1d",
           *       "name": "Northwind Agency",
           *       "createdAt": "2026-01-12T09:00:00.000Z"
           *     }
           */
          'application/json': components['schemas']['Organization'];
        };
      };
    };
  };
  countAlerts: {
    parameters: {
      query?: {
        /**
         * @description Alerts of this workspace.
         * @example ws_4Tg7LmQ2
         */
        workspaceId?: string;
      };
      path: {
        /**
         * @description Id of the organization.
         * @example org_N0rthw1d
         */
        org: string;
      };
    };
    responses: {
      /** @description Counts the open alerts of an organization by severity */
      200: {
        headers: {};
        content: {
          /**
           * @example {
           *       "critical": 1,
           *       "warning": 2
           *     }
           */
          'application/json': components['schemas']['AlertCount'];
        };
      };
    };
  };
  getAlertPreferences: {
    parameters: {
      path: {
        /**
         * @description Id of the organization.
         * @example org_N0rthw1d
         */
        org: string;
      };
    };
    responses: {
      /** @description Returns which alerts you get by email */
      200: {
        headers: {};
        content: {
          /**
           * @example {
           *       "rules": [
           *         {
           *           "workspaceId": "ws_4Tg7LmQ2",
           *           "minSeverity": "warning",
           *           "kinds": [
           *             "deliveries.exhausted",
           *             "channel.disconnected"
           *           ]
           *         }
           *       ]
           *     }
           */
          'application/json': components['schemas']['AlertPreferences'];
        };
      };
    };
  };
  setAlertPreferences: {
    parameters: {
      path: {
        /**
         * @description Id of the organization.
         * @example org_N0rthw1d
         */
        org: string;
      };
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "rules": [
         *         {
         *           "workspaceId": "ws_4Tg7LmQ2",
         *           "minSeverity": "warning",
         *           "kinds": [
         *             "deliveries.exhausted",
         *             "channel.disconnected"
         *           ]
         *         }
         *       ]
         *     }
         */
        'application/json': components['schemas']['AlertPreferences'];
      };
    };
    responses: {
      /** @description Chooses which alerts you get by email */
      200: {
        headers: {};
        content: {
          /**
           * @example {
           *       "rules": [
           *         {
           *           "workspaceId": "ws_4Tg7LmQ2",
           *           "minSeverity": "warning",
           *           "kinds": [
           *             "deliveries.exhausted",
           *             "channel.disconnected"
           *           ]
           *         }
           *       ]
           *     }
           */
          'application/json': components['schemas']['AlertPreferences'];
        };
      };
    };
  };
  getAlertWebhook: {
    parameters: {
      path: {
        /**
         * @description Id of the organization.
         * @example org_N0rthw1d
         */
        org: string;
      };
    };
    responses: {
      /** @description Returns the organization's alert webhook and its last delivery */
      200: {
        headers: {};
        content: {
          /**
           * @example {
           *       "organizationId": "org_N0rthw1d",
           *       "url": "https://hooks.northwind.example/alerts",
           *       "enabled": true,
           *       "minSeverity": "critical",
           *       "kinds": null,
           *       "previousSecretExpiresAt": null,
           *       "createdAt": "2026-01-12T10:00:00.000Z",
           *       "updatedAt": "2026-01-12T10:00:00.000Z",
           *       "lastDelivery": null
           *     }
           */
          'application/json': components['schemas']['AlertWebhook'];
        };
      };
    };
  };
  setAlertWebhook: {
    parameters: {
      path: {
        /**
         * @description Id of the organization.
         * @example org_N0rthw1d
         */
        org: string;
      };
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "url": "https://hooks.northwind.example/alerts",
         *       "minSeverity": "critical"
         *     }
         */
        'application/json': components['schemas']['AlertWebhookInput'];
      };
    };
    responses: {
      /** @description Sets where the organization gets its alerts by signed calls */
      200: {
        headers: {};
        content: {
          /**
           * @example {
           *       "organizationId": "org_N0rthw1d",
           *       "url": "https://hooks.northwind.example/alerts",
           *       "enabled": true,
           *       "minSeverity": "critical",
           *       "kinds": null,
           *       "previousSecretExpiresAt": null,
           *       "createdAt": "2026-01-12T10:00:00.000Z",
           *       "updatedAt": "2026-01-12T10:00:00.000Z",
           *       "lastDelivery": null,
           *       "secret": "whsec_T3Vyc2VjcmV0Zm9ydGhlZXhhbXBsZXNPbmx5ITEyMzQ="
           *     }
           */
          'application/json': components['schemas']['SavedAlertWebhook'];
        };
      };
    };
  };
  deleteAlertWebhook: {
    parameters: {
      path: {
        /**
         * @description Id of the organization.
         * @example org_N0rthw1d
         */
        org: string;
      };
    };
    responses: {
      /** @description Deletes the organization's alert webhook with its secrets and pending calls */
      204: {
        headers: {};
      };
    };
  };
  rotateAlertWebhookSecret: {
    parameters: {
      header?: {
        /**
         * @description Identifies one operation, with 1 to 255 printable ASCII characters. A repeated request with the same key and body returns the first response, and waits for it while the first request runs. A refusal that did nothing frees the key.
         * @example 7d1f0c52-order-118
         */
        'Idempotency-Key'?: string;
      };
      path: {
        /**
         * @description Id of the organization.
         * @example org_N0rthw1d
         */
        org: string;
      };
    };
    requestBody?: {
      content: {
        /**
         * @example {
         *       "overlapSeconds": 3600
         *     }
         */
        'application/json': components['schemas']['AlertWebhookSecretRotationInput'];
      };
    };
    responses: {
      /** @description Rotates the secret that signs the calls to the alert webhook */
      200: {
        headers: {};
        content: {
          /**
           * @example {
           *       "organizationId": "org_N0rthw1d",
           *       "secret": "whsec_T3Vyc2VjcmV0Zm9ydGhlZXhhbXBsZXNPbmx5ITEyMzQ=",
           *       "previousSecretExpiresAt": "2026-01-31T09:00:00.000Z"
           *     }
           */
          'application/json': components['schemas']['RotatedAlertWebhookSecret'];
        };
      };
    };
  };
  testAlertWebhook: {
    parameters: {
      path: {
        /**
         * @description Id of the organization.
         * @example org_N0rthw1d
         */
        org: string;
      };
    };
    responses: {
      /** @description Sends a test call to the alert webhook and returns its outcome */
      200: {
        headers: {};
        content: {
          /**
           * @example {
           *       "delivery": {
           *         "callId": "alc_zP8yS4bH",
           *         "type": "alert.opened",
           *         "at": "2026-01-31T08:00:00.000Z",
           *         "attempts": 1,
           *         "outcome": "delivered",
           *         "status": 200,
           *         "error": null,
           *         "nextAttemptAt": null
           *       }
           *     }
           */
          'application/json': components['schemas']['AlertWebhookTest'];
        };
      };
    };
  };
  listAlerts: {
    parameters: {
      query?: {
        /**
         * @description Alerts of this channel.
         * @example ch_8fKq2ZrW
         */
        channelId?: string;
        /** @description The previous `nextCursor`. */
        cursor?: string;
        /**
         * @description Filters by kind.
         * @example deliveries.exhausted
         */
        kind?:
          | 'destination.circuit_open'
          | 'destination.disabled'
          | 'deliveries.notSettling'
          | 'deliveries.exhausted'
          | 'channel.disconnected'
          | 'credential.refused'
          | 'credential.expiring'
          | 'channel.health'
          | 'container.failed'
          | 'container.unknown'
          | 'scheduledMessage.failed'
          | 'scheduledPost.failed'
          | 'defaultWebhook.failed'
          | 'replay.failed';
        /**
         * @description Records per page; 50 by default.
         * @example 50
         */
        limit?: number;
        /**
         * @description Filters by severity.
         * @example warning
         */
        severity?: 'warning' | 'critical';
        /**
         * @description Filters by status.
         * @example open
         */
        status?: 'open' | 'resolved';
        /**
         * @description Alerts of this workspace.
         * @example ws_4Tg7LmQ2
         */
        workspaceId?: string;
      };
      path: {
        /**
         * @description Id of the organization.
         * @example org_N0rthw1d
         */
        org: string;
      };
    };
    responses: {
      /** @description Lists the alerts of an organization, newest first */
      200: {
        headers: {};
        content: {
          /**
           * @example {
           *       "alerts": [
           *         {
           *           "alertId": "alr_Q9gR3dLz",
           *           "kind": "deliveries.exhausted",
           *           "severity": "critical",
           *           "status": "open",
           *           "organizationId": "org_N0rthw1d",
           *           "workspaceId": "ws_4Tg7LmQ2",
           *           "channelId": "ch_8fKq2ZrW",
           *           "subject": {
           *             "type": "webhook",
           *             "id": null,
           *             "label": "https://hooks.northwind.example/channels"
           *           },
           *           "title": "Deliveries were given up",
           *           "description": "The receiver failed until the retry schedule ended. Repair it, then replay the deliveries.",
           *           "occurrences": 3,
           *           "openedAt": "2026-01-31T08:00:00.000Z",
           *           "lastSeenAt": "2026-01-31T08:04:00.000Z",
           *           "resolvedAt": null,
           *           "acknowledgedAt": null,
           *           "acknowledgedBy": null,
           *           "mutedUntil": null
           *         }
           *       ],
           *       "nextCursor": null
           *     }
           */
          'application/json': components['schemas']['AlertList'];
        };
      };
    };
  };
  listAuditEntries: {
    parameters: {
      query?: {
        /**
         * @description Such as `webhook.set`.
         * @example webhook.set
         */
        action?: string;
        /**
         * @description Filters by the actor's id.
         * @example usr_mArt4Lop
         */
        actor?: string;
        /** @description The previous `nextCursor`. */
        cursor?: string;
        /**
         * @description Records per page; 50 by default.
         * @example 50
         */
        limit?: number;
        /**
         * @description At or after this time.
         * @example 2026-01-30T00:00:00.000Z
         */
        since?: string;
        /**
         * @description Before this time.
         * @example 2026-01-31T00:00:00.000Z
         */
        until?: string;
      };
      path: {
        /**
         * @description Id of the organization.
         * @example org_N0rthw1d
         */
        org: string;
      };
    };
    responses: {
      /** @description Lists the organization's security-relevant actions, newest first */
      200: {
        headers: {};
        content: {
          /**
           * @example {
           *       "entries": [
           *         {
           *           "at": "2026-01-31T08:00:00.000Z",
           *           "actor": {
           *             "type": "user",
           *             "id": "usr_mArt4Lop",
           *             "name": "Sunrise Bakery"
           *           },
           *           "action": "webhook.set",
           *           "targetId": "ch_8fKq2ZrW",
           *           "workspaceId": "ws_4Tg7LmQ2",
           *           "reason": null,
           *           "requestId": "req_mU3vX8qLzT1aYbKd",
           *           "callerRequestId": null,
           *           "clientAddress": "203.0.113.24"
           *         }
           *       ],
           *       "nextCursor": null
           *     }
           */
          'application/json': components['schemas']['AuditEntryList'];
        };
      };
    };
  };
  getBranding: {
    parameters: {
      path: {
        /**
         * @description Id of the organization.
         * @example org_N0rthw1d
         */
        org: string;
      };
    };
    responses: {
      /** @description Returns how pages for customers show the organization */
      200: {
        headers: {};
        content: {
          /**
           * @example {
           *       "displayName": "Northwind Agency",
           *       "logoUrl": "https://cdn.northwind.example/logo.png",
           *       "color": "#1d4ed8",
           *       "portalFrameAncestors": [
           *         "https://app.northwind.example"
           *       ],
           *       "textColor": "#ffffff"
           *     }
           */
          'application/json': components['schemas']['Branding'];
        };
      };
    };
  };
  putBranding: {
    parameters: {
      path: {
        /**
         * @description Id of the organization.
         * @example org_N0rthw1d
         */
        org: string;
      };
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "displayName": "Northwind Agency",
         *       "logoUrl": "https://cdn.northwind.example/logo.png",
         *       "color": "#1d4ed8",
         *       "portalFrameAncestors": [
         *         "https://app.northwind.example"
         *       ]
         *     }
         */
        'application/json': components['schemas']['BrandingInput'];
      };
    };
    responses: {
      /** @description Sets how pages for customers show the organization */
      200: {
        headers: {};
        content: {
          /**
           * @example {
           *       "displayName": "Northwind Agency",
           *       "logoUrl": "https://cdn.northwind.example/logo.png",
           *       "color": "#1d4ed8",
           *       "portalFrameAncestors": [
           *         "https://app.northwind.example"
           *       ],
           *       "textColor": "#ffffff"
           *     }
           */
          'application/json': components['schemas']['Branding'];
        };
      };
    };
  };
  getOrganizationDefaultWebhook: {
    parameters: {
      path: {
        /**
         * @description Id of the organization.
         * @example org_N0rthw1d
         */
        org: string;
      };
    };
    responses: {
      /** @description Returns the organization's default webhook */
      200: {
        headers: {};
        content: {
          /**
           * @example {
           *       "organizationId": "org_N0rthw1d",
           *       "workspaceId": null,
           *       "webhookUrl": "https://hooks.northwind.example/channels",
           *       "verifiedAt": "2026-01-12T09:50:00.000Z",
           *       "inheritedWebhookUrl": null,
           *       "lastVerification": null
           *     }
           */
          'application/json': components['schemas']['DefaultWebhook'];
        };
      };
    };
  };
  putOrganizationDefaultWebhook: {
    parameters: {
      path: {
        /**
         * @description Id of the organization.
         * @example org_N0rthw1d
         */
        org: string;
      };
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "webhookUrl": "https://hooks.northwind.example/channels",
         *       "verifyToken": "sunrise-verify-2f9c"
         *     }
         */
        'application/json': components['schemas']['DefaultWebhookInput'];
      };
    };
    responses: {
      /** @description Sets the organization's default webhook after two successful probes */
      200: {
        headers: {};
        content: {
          /**
           * @example {
           *       "organizationId": "org_N0rthw1d",
           *       "workspaceId": null,
           *       "webhookUrl": "https://hooks.northwind.example/channels",
           *       "verifiedAt": "2026-01-12T09:50:00.000Z",
           *       "inheritedWebhookUrl": null,
           *       "lastVerification": null
           *     }
           */
          'application/json': components['schemas']['DefaultWebhook'];
        };
      };
    };
  };
  deleteOrganizationDefaultWebhook: {
    parameters: {
      path: {
        /**
         * @description Id of the organization.
         * @example org_N0rthw1d
         */
        org: string;
      };
    };
    responses: {
      /** @description Deletes the organization's default webhook */
      204: {
        headers: {};
      };
    };
  };
  applyOrganizationDefaultWebhook: {
    parameters: {
      header?: {
        /**
         * @description Identifies one operation, with 1 to 255 printable ASCII characters. A repeated request with the same key and body returns the first response, and waits for it while the first request runs. A refusal that did nothing frees the key.
         * @example 7d1f0c52-order-118
         */
        'Idempotency-Key'?: string;
      };
      path: {
        /**
         * @description Id of the organization.
         * @example org_N0rthw1d
         */
        org: string;
      };
    };
    requestBody?: {
      content: {
        /**
         * @example {
         *       "dryRun": true,
         *       "replaceOwn": false
         *     }
         */
        'application/json': components['schemas']['WebhookRolloutInput'];
      };
    };
    responses: {
      /** @description Applies the organization's default webhook to existing channels */
      202: {
        headers: {};
        content: {
          /**
           * @example {
           *       "rolloutId": "dwr_w4BjY6tM",
           *       "workspaceId": "ws_4Tg7LmQ2",
           *       "webhookUrl": "https://hooks.northwind.example/channels",
           *       "trigger": "requested",
           *       "channelId": null,
           *       "dryRun": false,
           *       "replaceOwn": false,
           *       "status": "completed",
           *       "total": 42,
           *       "applied": 38,
           *       "unchanged": 1,
           *       "skipped": 3,
           *       "failed": 0,
           *       "createdAt": "2026-01-31T08:00:00.000Z",
           *       "endedAt": "2026-01-31T08:06:00.000Z",
           *       "workflowId": "webhook-rollout/dwr_w4BjY6tM"
           *     }
           */
          'application/json': components['schemas']['WebhookRollout'];
        };
      };
    };
  };
  listOrganizationRollouts: {
    parameters: {
      query?: {
        /** @description The previous `nextCursor`. */
        cursor?: string;
        /**
         * @description Records per page; 50 by default.
         * @example 50
         */
        limit?: number;
      };
      path: {
        /**
         * @description Id of the organization.
         * @example org_N0rthw1d
         */
        org: string;
      };
    };
    responses: {
      /** @description Lists the rollouts of the organization's default webhook, newest first */
      200: {
        headers: {};
        content: {
          /**
           * @example {
           *       "rollouts": [
           *         {
           *           "rolloutId": "dwr_w4BjY6tM",
           *           "workspaceId": "ws_4Tg7LmQ2",
           *           "webhookUrl": "https://hooks.northwind.example/channels",
           *           "trigger": "requested",
           *           "channelId": null,
           *           "dryRun": false,
           *           "replaceOwn": false,
           *           "status": "completed",
           *           "total": 42,
           *           "applied": 38,
           *           "unchanged": 1,
           *           "skipped": 3,
           *           "failed": 0,
           *           "createdAt": "2026-01-31T08:00:00.000Z",
           *           "endedAt": "2026-01-31T08:06:00.000Z",
           *           "workflowId": "webhook-rollout/dwr_w4BjY6tM"
           *         }
           *       ],
           *       "nextCursor": null
           *     }
           */
          'application/json': components['schemas']['WebhookRolloutList'];
        };
      };
    };
  };
  getOrganizationRollout: {
    parameters: {
      path: {
        /**
         * @description Id of the webhookRollout.
         * @example dwr_w4BjY6tM
         */
        dwr: string;
        /**
         * @description Id of the organization.
         * @example org_N0rthw1d
         */
        org: string;
      };
    };
    responses: {
      /** @description Returns a rollout of the organization's default webhook with its progress */
      200: {
        headers: {};
        content: {
          /**
           * @example {
           *       "rolloutId": "dwr_w4BjY6tM",
           *       "workspaceId": "ws_4Tg7LmQ2",
           *       "webhookUrl": "https://hooks.northwind.example/channels",
           *       "trigger": "requested",
           *       "channelId": null,
           *       "dryRun": false,
           *       "replaceOwn": false,
           *       "status": "completed",
           *       "total": 42,
           *       "applied": 38,
           *       "unchanged": 1,
           *       "skipped": 3,
           *       "failed": 0,
           *       "createdAt": "2026-01-31T08:00:00.000Z",
           *       "endedAt": "2026-01-31T08:06:00.000Z",
           *       "workflowId": "webhook-rollout/dwr_w4BjY6tM"
           *     }
           */
          'application/json': components['schemas']['WebhookRollout'];
        };
      };
    };
  };
  cancelOrganizationRollout: {
    parameters: {
      path: {
        /**
         * @description Id of the webhookRollout.
         * @example dwr_w4BjY6tM
         */
        dwr: string;
        /**
         * @description Id of the organization.
         * @example org_N0rthw1d
         */
        org: string;
      };
    };
    responses: {
      /** @description Cancels a rollout of the organization's default webhook */
      202: {
        headers: {};
        content: {
          /**
           * @example {
           *       "rolloutId": "dwr_w4BjY6tM",
           *       "workspaceId": "ws_4Tg7LmQ2",
           *       "webhookUrl": "https://hooks.northwind.example/channels",
           *       "trigger": "requested",
           *       "channelId": null,
           *       "dryRun": false,
           *       "replaceOwn": false,
           *       "status": "cancelled",
           *       "total": 42,
           *       "applied": 20,
           *       "unchanged": 0,
           *       "skipped": 0,
           *       "failed": 0,
           *       "createdAt": "2026-01-31T08:00:00.000Z",
           *       "endedAt": "2026-01-31T08:06:00.000Z",
           *       "workflowId": "webhook-rollout/dwr_w4BjY6tM"
           *     }
           */
          'application/json': components['schemas']['WebhookRollout'];
        };
      };
    };
  };
  listOrganizationRolloutResults: {
    parameters: {
      query?: {
        /** @description The previous `nextCursor`. */
        cursor?: string;
        /**
         * @description Records per page; 50 by default.
         * @example 50
         */
        limit?: number;
        /**
         * @description Filters by outcome.
         * @example applied
         */
        outcome?: 'applied' | 'unchanged' | 'skipped' | 'failed';
      };
      path: {
        /**
         * @description Id of the webhookRollout.
         * @example dwr_w4BjY6tM
         */
        dwr: string;
        /**
         * @description Id of the organization.
         * @example org_N0rthw1d
         */
        org: string;
      };
    };
    responses: {
      /** @description Lists the channels of an organization's rollout with their results */
      200: {
        headers: {};
        content: {
          /**
           * @example {
           *       "results": [
           *         {
           *           "channelId": "ch_8fKq2ZrW",
           *           "workspaceId": "ws_4Tg7LmQ2",
           *           "displayName": "Sunrise Bakery",
           *           "outcome": "applied",
           *           "reason": null,
           *           "detail": null,
           *           "createdAt": "2026-01-31T08:00:04.000Z"
           *         }
           *       ],
           *       "nextCursor": null
           *     }
           */
          'application/json': components['schemas']['WebhookRolloutResultList'];
        };
      };
    };
  };
  listErasures: {
    parameters: {
      query?: {
        /** @description The previous `nextCursor`. */
        cursor?: string;
        /**
         * @description Records per page; 50 by default.
         * @example 50
         */
        limit?: number;
      };
      path: {
        /**
         * @description Id of the organization.
         * @example org_N0rthw1d
         */
        org: string;
      };
    };
    responses: {
      /** @description Lists the erasures of an organization, newest first */
      200: {
        headers: {};
        content: {
          /**
           * @example {
           *       "erasures": [
           *         {
           *           "erasureId": "ers_h5KcX8nF",
           *           "kind": "sender",
           *           "eventId": null,
           *           "workspaceId": null,
           *           "channelId": null,
           *           "reason": "Request by the person, ticket 118",
           *           "status": "completed",
           *           "step": "workspaces",
           *           "erased": {
           *             "events": 120,
           *             "deliveries": 128,
           *             "cancelled": 0,
           *             "attempts": 1,
           *             "replayItems": 0,
           *             "outboundCalls": 1,
           *             "idempotentCalls": 1,
           *             "scheduledMessages": 0,
           *             "scheduledPosts": 0,
           *             "containers": 0,
           *             "testEvents": 0,
           *             "probes": 0,
           *             "unroutedEvents": 0,
           *             "channels": 0,
           *             "workspaces": 0
           *           },
           *           "createdAt": "2026-01-31T08:00:00.240Z",
           *           "endedAt": "2026-01-31T08:06:00.000Z"
           *         }
           *       ],
           *       "nextCursor": null
           *     }
           */
          'application/json': components['schemas']['ErasureList'];
        };
      };
    };
  };
  createErasure: {
    parameters: {
      path: {
        /**
         * @description Id of the organization.
         * @example org_N0rthw1d
         */
        org: string;
      };
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "scope": {
         *         "sender": "15550198"
         *       },
         *       "reason": "Request by the person, ticket 118",
         *       "dryRun": false
         *     }
         */
        'application/json': components['schemas']['ErasureInput'];
      };
    };
    responses: {
      /** @description Erases the data of an event, a sender or a workspace before its retention ends */
      202: {
        headers: {};
        content: {
          /**
           * @example {
           *       "erasureId": "ers_h5KcX8nF",
           *       "matched": 42
           *     }
           */
          'application/json': components['schemas']['ErasureStarted'];
        };
      };
    };
  };
  getErasure: {
    parameters: {
      path: {
        /**
         * @description Id of the erasure.
         * @example ers_h5KcX8nF
         */
        ers: string;
        /**
         * @description Id of the organization.
         * @example org_N0rthw1d
         */
        org: string;
      };
    };
    responses: {
      /** @description Returns an erasure with its progress and report */
      200: {
        headers: {};
        content: {
          /**
           * @example {
           *       "erasureId": "ers_h5KcX8nF",
           *       "kind": "sender",
           *       "eventId": null,
           *       "workspaceId": null,
           *       "channelId": null,
           *       "reason": "Request by the person, ticket 118",
           *       "status": "completed",
           *       "step": "workspaces",
           *       "erased": {
           *         "events": 120,
           *         "deliveries": 128,
           *         "cancelled": 0,
           *         "attempts": 1,
           *         "replayItems": 0,
           *         "outboundCalls": 1,
           *         "idempotentCalls": 1,
           *         "scheduledMessages": 0,
           *         "scheduledPosts": 0,
           *         "containers": 0,
           *         "testEvents": 0,
           *         "probes": 0,
           *         "unroutedEvents": 0,
           *         "channels": 0,
           *         "workspaces": 0
           *       },
           *       "createdAt": "2026-01-31T08:00:00.240Z",
           *       "endedAt": "2026-01-31T08:06:00.000Z"
           *     }
           */
          'application/json': components['schemas']['Erasure'];
        };
      };
    };
  };
  listInvitations: {
    parameters: {
      query?: {
        /** @description The previous `nextCursor`. */
        cursor?: string;
        /**
         * @description Records per page; 50 by default.
         * @example 50
         */
        limit?: number;
      };
      path: {
        /**
         * @description Id of the organization.
         * @example org_N0rthw1d
         */
        org: string;
      };
    };
    responses: {
      /** @description Lists the invitations of an organization, newest first */
      200: {
        headers: {};
        content: {
          /**
           * @example {
           *       "invitations": [
           *         {
           *           "invitationId": "inv_T6qLm4Zn",
           *           "email": "tom@northwind.example",
           *           "role": "member",
           *           "workspaceId": "ws_4Tg7LmQ2",
           *           "workspaceRole": "developer",
           *           "status": "open",
           *           "expiresAt": "2026-02-07T08:00:00.000Z",
           *           "createdAt": "2026-01-31T08:00:00.000Z"
           *         }
           *       ],
           *       "nextCursor": null
           *     }
           */
          'application/json': components['schemas']['InvitationList'];
        };
      };
    };
  };
  createInvitation: {
    parameters: {
      path: {
        /**
         * @description Id of the organization.
         * @example org_N0rthw1d
         */
        org: string;
      };
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "email": "tom@northwind.example",
         *       "role": "member",
         *       "workspaceId": "ws_4Tg7LmQ2",
         *       "workspaceRole": "developer"
         *     }
         */
        'application/json': components['schemas']['InvitationInput'];
      };
    };
    responses: {
      /** @description Invites a person to the organization, and optionally to a workspace */
      201: {
        headers: {};
        content: {
          /**
           * @example {
           *       "invitationId": "inv_T6qLm4Zn",
           *       "email": "tom@northwind.example",
           *       "role": "member",
           *       "workspaceId": "ws_4Tg7LmQ2",
           *       "workspaceRole": "developer",
           *       "status": "open",
           *       "expiresAt": "2026-02-07T08:00:00.000Z",
           *       "createdAt": "2026-01-31T08:00:00.000Z"
           *     }
           */
          'application/json': components['schemas']['Invitation'];
        };
      };
    };
  };
  revokeInvitation: {
    parameters: {
      path: {
        /**
         * @description Id of the invitation.
         * @example inv_T6qLm4Zn
         */
        inv: string;
        /**
         * @description Id of the organization.
         * @example org_N0rthw1d
         */
        org: string;
      };
    };
    responses: {
      /** @description Revokes an open invitation */
      204: {
        headers: {};
      };
    };
  };
  listApiKeys: {
    parameters: {
      query?: {
        /** @description The previous `nextCursor`. */
        cursor?: string;
        /**
         * @description Records per page; 50 by default.
         * @example 50
         */
        limit?: number;
      };
      path: {
        /**
         * @description Id of the organization.
         * @example org_N0rthw1d
         */
        org: string;
      };
    };
    responses: {
      /** @description Lists the API keys that are not revoked, newest first */
      200: {
        headers: {};
        content: {
          /**
           * @example {
           *       "keys": [
           *         {
           *           "keyId": "key_c2Hn7UfK",
           *           "agentCredentialId": null,
           *           "name": "Order desk",
           *           "keyPrefix": "hmok_ExampleOn",
           *           "keySuffix": "mple",
           *           "scopes": [
           *             "channel.read",
           *             "deliveries.read"
           *           ],
           *           "workspaceIds": [
           *             "ws_4Tg7LmQ2"
           *           ],
           *           "allowedCidrs": [
           *             "203.0.113.0/24"
           *           ],
           *           "createdAt": "2026-01-12T10:00:00.000Z",
           *           "expiresAt": null,
           *           "lastUsedAt": "2026-01-31T07:58:00.000Z"
           *         }
           *       ],
           *       "nextCursor": null
           *     }
           */
          'application/json': components['schemas']['ApiKeyList'];
        };
      };
    };
  };
  createApiKey: {
    parameters: {
      path: {
        /**
         * @description Id of the organization.
         * @example org_N0rthw1d
         */
        org: string;
      };
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "name": "Order desk",
         *       "scopes": [
         *         "channel.read",
         *         "deliveries.read"
         *       ],
         *       "workspaceIds": [
         *         "ws_4Tg7LmQ2"
         *       ],
         *       "allowedCidrs": [
         *         "203.0.113.0/24"
         *       ]
         *     }
         */
        'application/json': components['schemas']['ApiKeyInput'];
      };
    };
    responses: {
      /** @description Creates an API key */
      201: {
        headers: {};
        content: {
          /**
           * @example {
           *       "keyId": "key_c2Hn7UfK",
           *       "apiKey": "hmok_ExampleOnly0ExampleOnly1ExampleOnly2Example",
           *       "organizationPublicId": "org_N0rthw1d",
           *       "name": "Order desk",
           *       "scopes": [
           *         "channel.read",
           *         "deliveries.read"
           *       ],
           *       "workspaceIds": [
           *         "ws_4Tg7LmQ2"
           *       ],
           *       "allowedCidrs": [
           *         "203.0.113.0/24"
           *       ],
           *       "expiresAt": null,
           *       "createdAt": "2026-01-12T10:00:00.000Z"
           *     }
           */
          'application/json': components['schemas']['CreatedApiKey'];
        };
      };
    };
  };
  revokeApiKey: {
    parameters: {
      path: {
        /**
         * @description Id of the apiKey.
         * @example key_c2Hn7UfK
         */
        key: string;
        /**
         * @description Id of the organization.
         * @example org_N0rthw1d
         */
        org: string;
      };
    };
    responses: {
      /** @description Revokes an API key */
      204: {
        headers: {};
      };
    };
  };
  changeApiKey: {
    parameters: {
      path: {
        /**
         * @description Id of the apiKey.
         * @example key_c2Hn7UfK
         */
        key: string;
        /**
         * @description Id of the organization.
         * @example org_N0rthw1d
         */
        org: string;
      };
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "name": "Order desk, read only",
         *       "scopes": [
         *         "deliveries.read"
         *       ]
         *     }
         */
        'application/json': components['schemas']['ApiKeyPatch'];
      };
    };
    responses: {
      /** @description Changes or narrows an API key */
      200: {
        headers: {};
        content: {
          /**
           * @example {
           *       "keyId": "key_c2Hn7UfK",
           *       "agentCredentialId": null,
           *       "name": "Order desk",
           *       "keyPrefix": "hmok_ExampleOn",
           *       "keySuffix": "mple",
           *       "scopes": [
           *         "channel.read",
           *         "deliveries.read"
           *       ],
           *       "workspaceIds": [
           *         "ws_4Tg7LmQ2"
           *       ],
           *       "allowedCidrs": [
           *         "203.0.113.0/24"
           *       ],
           *       "createdAt": "2026-01-12T10:00:00.000Z",
           *       "expiresAt": null,
           *       "lastUsedAt": "2026-01-31T07:58:00.000Z"
           *     }
           */
          'application/json': components['schemas']['ApiKey'];
        };
      };
    };
  };
  cancelScheduledByKey: {
    parameters: {
      path: {
        /**
         * @description Id of the apiKey.
         * @example key_c2Hn7UfK
         */
        key: string;
        /**
         * @description Id of the organization.
         * @example org_N0rthw1d
         */
        org: string;
      };
    };
    responses: {
      /** @description Cancels what an API key has scheduled */
      200: {
        headers: {};
        content: {
          /**
           * @example {
           *       "cancellations": [
           *         {
           *           "kind": "message",
           *           "id": "sm_J2tV7mWq",
           *           "channelId": "ch_8fKq2ZrW",
           *           "workspaceId": "ws_4Tg7LmQ2",
           *           "dueAt": "2026-02-14T07:00:00.000Z",
           *           "outcome": "cancelled"
           *         }
           *       ],
           *       "remaining": 0
           *     }
           */
          'application/json': components['schemas']['ScheduledCancellationList'];
        };
      };
    };
  };
  revealApiKey: {
    parameters: {
      path: {
        /**
         * @description Id of the apiKey.
         * @example key_c2Hn7UfK
         */
        key: string;
        /**
         * @description Id of the organization.
         * @example org_N0rthw1d
         */
        org: string;
      };
    };
    responses: {
      /** @description Shows an API key in full */
      200: {
        headers: {};
        content: {
          /**
           * @example {
           *       "keyId": "key_c2Hn7UfK",
           *       "apiKey": "hmok_ExampleOnly0ExampleOnly1ExampleOnly2Example"
           *     }
           */
          'application/json': components['schemas']['RevealedApiKey'];
        };
      };
    };
  };
  listScheduledByKey: {
    parameters: {
      path: {
        /**
         * @description Id of the apiKey.
         * @example key_c2Hn7UfK
         */
        key: string;
        /**
         * @description Id of the organization.
         * @example org_N0rthw1d
         */
        org: string;
      };
    };
    responses: {
      /** @description Lists what an API key has scheduled */
      200: {
        headers: {};
        content: {
          /**
           * @example {
           *       "scheduled": [
           *         {
           *           "kind": "message",
           *           "id": "sm_J2tV7mWq",
           *           "channelId": "ch_8fKq2ZrW",
           *           "workspaceId": "ws_4Tg7LmQ2",
           *           "dueAt": "2026-02-14T07:00:00.000Z"
           *         }
           *       ],
           *       "messageCount": 1,
           *       "postCount": 0
           *     }
           */
          'application/json': components['schemas']['ScheduledByKey'];
        };
      };
    };
  };
  listOrganizationMembers: {
    parameters: {
      query?: {
        /** @description The previous `nextCursor`. */
        cursor?: string;
        /**
         * @description Records per page; 50 by default.
         * @example 50
         */
        limit?: number;
      };
      path: {
        /**
         * @description Id of the organization.
         * @example org_N0rthw1d
         */
        org: string;
      };
    };
    responses: {
      /** @description Lists the members of an organization, newest first */
      200: {
        headers: {};
        content: {
          /**
           * @example {
           *       "members": [
           *         {
           *           "userId": "usr_mArt4Lop",
           *           "email": "maria@northwind.example",
           *           "createdAt": "2026-01-12T09:00:00.000Z",
           *           "role": "admin"
           *         }
           *       ],
           *       "nextCursor": null
           *     }
           */
          'application/json': components['schemas']['MemberList'];
        };
      };
    };
  };
  removeOrganizationMember: {
    parameters: {
      path: {
        /**
         * @description Id of the organization.
         * @example org_N0rthw1d
         */
        org: string;
        /**
         * @description Id of the user.
         * @example usr_mArt4Lop
         */
        usr: string;
      };
    };
    responses: {
      /** @description Removes a person from an organization */
      204: {
        headers: {};
      };
    };
  };
  changeOrganizationMember: {
    parameters: {
      path: {
        /**
         * @description Id of the organization.
         * @example org_N0rthw1d
         */
        org: string;
        /**
         * @description Id of the user.
         * @example usr_mArt4Lop
         */
        usr: string;
      };
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "role": "admin"
         *     }
         */
        'application/json': components['schemas']['MemberRoleInput'];
      };
    };
    responses: {
      /** @description Changes a member's role */
      200: {
        headers: {};
        content: {
          /**
           * @example {
           *       "userId": "usr_mArt4Lop",
           *       "email": "maria@northwind.example",
           *       "createdAt": "2026-01-12T09:00:00.000Z",
           *       "role": "admin"
           *     }
           */
          'application/json': components['schemas']['Member'];
        };
      };
    };
  };
  listMemberKeys: {
    parameters: {
      query?: {
        /** @description The previous `nextCursor`. */
        cursor?: string;
        /**
         * @description Records per page; 50 by default.
         * @example 50
         */
        limit?: number;
      };
      path: {
        /**
         * @description Id of the organization.
         * @example org_N0rthw1d
         */
        org: string;
        /**
         * @description Id of the user.
         * @example usr_mArt4Lop
         */
        usr: string;
      };
    };
    responses: {
      /** @description Lists the valid API keys that a person created or has seen, newest first */
      200: {
        headers: {};
        content: {
          /**
           * @example {
           *       "keys": [
           *         {
           *           "keyId": "key_c2Hn7UfK",
           *           "agentCredentialId": null,
           *           "name": "Order desk",
           *           "scopes": [
           *             "channel.read",
           *             "deliveries.read"
           *           ],
           *           "createdAt": "2026-01-12T10:00:00.000Z",
           *           "expiresAt": null,
           *           "lastUsedAt": "2026-01-31T07:58:00.000Z",
           *           "relation": "made"
           *         }
           *       ],
           *       "nextCursor": null
           *     }
           */
          'application/json': components['schemas']['MemberKeyList'];
        };
      };
    };
  };
  listMemberReveals: {
    parameters: {
      query?: {
        /** @description The previous `nextCursor`. */
        cursor?: string;
        /**
         * @description Records per page; 50 by default.
         * @example 50
         */
        limit?: number;
      };
      path: {
        /**
         * @description Id of the organization.
         * @example org_N0rthw1d
         */
        org: string;
        /**
         * @description Id of the user.
         * @example usr_mArt4Lop
         */
        usr: string;
      };
    };
    responses: {
      /** @description Lists the secrets that a person, their keys and their agents have read */
      200: {
        headers: {};
        content: {
          /**
           * @example {
           *       "reveals": [
           *         {
           *           "channelId": "ch_8fKq2ZrW",
           *           "workspaceId": "ws_4Tg7LmQ2",
           *           "displayName": "Sunrise Bakery",
           *           "kind": "webhook_secret",
           *           "revealedTo": "maria@northwind.example",
           *           "firstRevealedAt": "2026-01-12T09:45:00.000Z",
           *           "lastRevealedAt": "2026-01-30T16:20:00.000Z",
           *           "revealCount": 2,
           *           "current": true,
           *           "endsAt": null
           *         }
           *       ],
           *       "nextCursor": null
           *     }
           */
          'application/json': components['schemas']['SecretRevealList'];
        };
      };
    };
  };
  revokeMemberKeys: {
    parameters: {
      path: {
        /**
         * @description Id of the organization.
         * @example org_N0rthw1d
         */
        org: string;
        /**
         * @description Id of the user.
         * @example usr_mArt4Lop
         */
        usr: string;
      };
    };
    requestBody?: {
      content: {
        /**
         * @example {
         *       "keyIds": [
         *         "key_c2Hn7UfK"
         *       ]
         *     }
         */
        'application/json': components['schemas']['MemberKeyRevocationInput'];
      };
    };
    responses: {
      /** @description Revokes API keys of a person */
      200: {
        headers: {};
        content: {
          /**
           * @example {
           *       "revokedKeyIds": [
           *         "key_c2Hn7UfK"
           *       ]
           *     }
           */
          'application/json': components['schemas']['MemberKeyRevocation'];
        };
      };
    };
  };
  rotateMemberReveals: {
    parameters: {
      path: {
        /**
         * @description Id of the organization.
         * @example org_N0rthw1d
         */
        org: string;
        /**
         * @description Id of the user.
         * @example usr_mArt4Lop
         */
        usr: string;
      };
    };
    requestBody?: {
      content: {
        /**
         * @example {
         *       "overlapSeconds": 3600
         *     }
         */
        'application/json': components['schemas']['RevealedRotationInput'];
      };
    };
    responses: {
      /** @description Rotates the current secrets that a person, their keys or their agents have read */
      200: {
        headers: {};
        content: {
          /**
           * @example {
           *       "rotations": [
           *         {
           *           "channelId": "ch_8fKq2ZrW",
           *           "kind": "webhook_secret",
           *           "status": "rotated",
           *           "endsAt": "2026-01-31T09:00:00.000Z",
           *           "code": null
           *         }
           *       ],
           *       "remaining": 0
           *     }
           */
          'application/json': components['schemas']['RevealedRotationList'];
        };
      };
    };
  };
  listOnboardingLinks: {
    parameters: {
      query?: {
        /** @description The previous `nextCursor`. */
        cursor?: string;
        /**
         * @description Records per page; 50 by default.
         * @example 50
         */
        limit?: number;
      };
      path: {
        /**
         * @description Id of the organization.
         * @example org_N0rthw1d
         */
        org: string;
      };
    };
    responses: {
      /** @description Lists an organization's onboarding links with the revoked ones, newest first */
      200: {
        headers: {};
        content: {
          /**
           * @example {
           *       "onboardingLinks": [
           *         {
           *           "onboardingLinkId": "ol_E8jTz5Qa",
           *           "url": "https://channels.example.com/connect/ExampleOnboardingTokenExampleOnboardingToke",
           *           "label": "Sunrise Bakery",
           *           "channelType": "chatapp",
           *           "workspaceId": "ws_4Tg7LmQ2",
           *           "successUrl": "https://app.northwind.example/connected",
           *           "failureUrl": null,
           *           "connectedNotificationUrl": null,
           *           "notificationSecret": null,
           *           "externalId": "customer-4711",
           *           "displayName": "Northwind Agency",
           *           "logoUrl": "https://cdn.northwind.example/logo.png",
           *           "maxUses": 1,
           *           "useCount": 0,
           *           "expiresAt": "2026-02-28T12:00:00.000Z",
           *           "status": "active",
           *           "createdAt": "2026-01-12T09:30:00.000Z",
           *           "lastNotification": null
           *         }
           *       ],
           *       "nextCursor": null
           *     }
           */
          'application/json': components['schemas']['OnboardingLinkList'];
        };
      };
    };
  };
  createOnboardingLink: {
    parameters: {
      path: {
        /**
         * @description Id of the organization.
         * @example org_N0rthw1d
         */
        org: string;
      };
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "label": "Sunrise Bakery",
         *       "channelType": "chatapp",
         *       "workspaceId": "ws_4Tg7LmQ2",
         *       "successUrl": "https://app.northwind.example/connected",
         *       "externalId": "customer-4711"
         *     }
         */
        'application/json': components['schemas']['OnboardingLinkInput'];
      };
    };
    responses: {
      /** @description Creates a link that a customer opens to connect one or more accounts */
      201: {
        headers: {};
        content: {
          /**
           * @example {
           *       "onboardingLinkId": "ol_E8jTz5Qa",
           *       "url": "https://channels.example.com/connect/ExampleOnboardingTokenExampleOnboardingToke",
           *       "label": "Sunrise Bakery",
           *       "channelType": "chatapp",
           *       "workspaceId": "ws_4Tg7LmQ2",
           *       "successUrl": "https://app.northwind.example/connected",
           *       "failureUrl": null,
           *       "connectedNotificationUrl": null,
           *       "notificationSecret": null,
           *       "externalId": "customer-4711",
           *       "displayName": "Northwind Agency",
           *       "logoUrl": "https://cdn.northwind.example/logo.png",
           *       "maxUses": 1,
           *       "useCount": 0,
           *       "expiresAt": "2026-02-28T12:00:00.000Z",
           *       "status": "active",
           *       "createdAt": "2026-01-12T09:30:00.000Z",
           *       "lastNotification": null
           *     }
           */
          'application/json': components['schemas']['OnboardingLink'];
        };
      };
    };
  };
  getOnboardingLink: {
    parameters: {
      path: {
        /**
         * @description Id of the onboardingLink.
         * @example ol_E8jTz5Qa
         */
        ol: string;
        /**
         * @description Id of the organization.
         * @example org_N0rthw1d
         */
        org: string;
      };
    };
    responses: {
      /** @description Returns an onboarding link */
      200: {
        headers: {};
        content: {
          /**
           * @example {
           *       "onboardingLinkId": "ol_E8jTz5Qa",
           *       "url": "https://channels.example.com/connect/ExampleOnboardingTokenExampleOnboardingToke",
           *       "label": "Sunrise Bakery",
           *       "channelType": "chatapp",
           *       "workspaceId": "ws_4Tg7LmQ2",
           *       "successUrl": "https://app.northwind.example/connected",
           *       "failureUrl": null,
           *       "connectedNotificationUrl": null,
           *       "notificationSecret": null,
           *       "externalId": "customer-4711",
           *       "displayName": "Northwind Agency",
           *       "logoUrl": "https://cdn.northwind.example/logo.png",
           *       "maxUses": 1,
           *       "useCount": 0,
           *       "expiresAt": "2026-02-28T12:00:00.000Z",
           *       "status": "active",
           *       "createdAt": "2026-01-12T09:30:00.000Z",
           *       "lastNotification": null
           *     }
           */
          'application/json': components['schemas']['OnboardingLink'];
        };
      };
    };
  };
  revokeOnboardingLink: {
    parameters: {
      path: {
        /**
         * @description Id of the onboardingLink.
         * @example ol_E8jTz5Qa
         */
        ol: string;
        /**
         * @description Id of the organization.
         * @example org_N0rthw1d
         */
        org: string;
      };
    };
    responses: {
      /** @description Revokes an onboarding link permanently */
      204: {
        headers: {};
      };
    };
  };
  changeOnboardingLink: {
    parameters: {
      path: {
        /**
         * @description Id of the onboardingLink.
         * @example ol_E8jTz5Qa
         */
        ol: string;
        /**
         * @description Id of the organization.
         * @example org_N0rthw1d
         */
        org: string;
      };
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "label": "Sunrise Bakery, second shop"
         *     }
         */
        'application/json': components['schemas']['OnboardingLinkPatch'];
      };
    };
    responses: {
      /** @description Changes an onboarding link that is not revoked */
      200: {
        headers: {};
        content: {
          /**
           * @example {
           *       "onboardingLinkId": "ol_E8jTz5Qa",
           *       "url": "https://channels.example.com/connect/ExampleOnboardingTokenExampleOnboardingToke",
           *       "label": "Sunrise Bakery",
           *       "channelType": "chatapp",
           *       "workspaceId": "ws_4Tg7LmQ2",
           *       "successUrl": "https://app.northwind.example/connected",
           *       "failureUrl": null,
           *       "connectedNotificationUrl": null,
           *       "notificationSecret": null,
           *       "externalId": "customer-4711",
           *       "displayName": "Northwind Agency",
           *       "logoUrl": "https://cdn.northwind.example/logo.png",
           *       "maxUses": 1,
           *       "useCount": 0,
           *       "expiresAt": "2026-02-28T12:00:00.000Z",
           *       "status": "active",
           *       "createdAt": "2026-01-12T09:30:00.000Z",
           *       "lastNotification": null
           *     }
           */
          'application/json': components['schemas']['OnboardingLink'];
        };
      };
    };
  };
  regenerateOnboardingLink: {
    parameters: {
      path: {
        /**
         * @description Id of the onboardingLink.
         * @example ol_E8jTz5Qa
         */
        ol: string;
        /**
         * @description Id of the organization.
         * @example org_N0rthw1d
         */
        org: string;
      };
    };
    responses: {
      /** @description Replaces the URL of an onboarding link that is not revoked */
      200: {
        headers: {};
        content: {
          /**
           * @example {
           *       "onboardingLinkId": "ol_E8jTz5Qa",
           *       "url": "https://channels.example.com/connect/ExampleOnboardingTokenExampleOnboardingToke",
           *       "label": "Sunrise Bakery",
           *       "channelType": "chatapp",
           *       "workspaceId": "ws_4Tg7LmQ2",
           *       "successUrl": "https://app.northwind.example/connected",
           *       "failureUrl": null,
           *       "connectedNotificationUrl": null,
           *       "notificationSecret": null,
           *       "externalId": "customer-4711",
           *       "displayName": "Northwind Agency",
           *       "logoUrl": "https://cdn.northwind.example/logo.png",
           *       "maxUses": 1,
           *       "useCount": 0,
           *       "expiresAt": "2026-02-28T12:00:00.000Z",
           *       "status": "active",
           *       "createdAt": "2026-01-12T09:30:00.000Z",
           *       "lastNotification": null
           *     }
           */
          'application/json': components['schemas']['OnboardingLink'];
        };
      };
    };
  };
  getOverview: {
    parameters: {
      query?: {
        /**
         * @description Only this workspace.
         * @example ws_4Tg7LmQ2
         */
        workspaceId?: string;
      };
      path: {
        /**
         * @description Id of the organization.
         * @example org_N0rthw1d
         */
        org: string;
      };
    };
    responses: {
      /** @description Returns the deliveries of the last 24 hours and what needs attention */
      200: {
        headers: {};
        content: {
          /**
           * @example {
           *       "since": "2026-01-30T00:00:00.000Z",
           *       "until": "2026-01-31T00:00:00.000Z",
           *       "bucketSeconds": 3600,
           *       "current": {
           *         "deliveries": 128,
           *         "delivered": 126,
           *         "failed": 2,
           *         "waiting": 0,
           *         "latencyMs": null,
           *         "isComplete": true
           *       },
           *       "previous": {
           *         "deliveries": 128,
           *         "delivered": 126,
           *         "failed": 2,
           *         "waiting": 0,
           *         "latencyMs": null,
           *         "isComplete": true
           *       },
           *       "buckets": [
           *         {
           *           "at": "2026-01-31T08:00:00.000Z",
           *           "deliveries": 128,
           *           "delivered": 126,
           *           "failed": 2,
           *           "waiting": 0
           *         }
           *       ],
           *       "alerts": {
           *         "critical": 1,
           *         "warning": 2
           *       },
           *       "trouble": [
           *         {
           *           "workspaceId": "ws_4Tg7LmQ2",
           *           "channelId": "ch_8fKq2ZrW",
           *           "channelName": "Sunrise Bakery",
           *           "destination": "webhook",
           *           "label": "Sunrise Bakery",
           *           "url": "https://hooks.northwind.example/channels",
           *           "state": "failing",
           *           "reason": null,
           *           "since": "2026-01-30T00:00:00.000Z",
           *           "lastFailure": null
           *         }
           *       ],
           *       "channels": {
           *         "connected": 3,
           *         "withDestination": 3,
           *         "firstId": null,
           *         "firstWorkspaceId": null
           *       }
           *     }
           */
          'application/json': components['schemas']['Overview'];
        };
      };
    };
  };
  exportPerson: {
    parameters: {
      path: {
        /**
         * @description Id of the organization.
         * @example org_N0rthw1d
         */
        org: string;
      };
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "sender": "15550198",
         *       "reason": "Request by the person, ticket 118"
         *     }
         */
        'application/json': components['schemas']['PersonExportInput'];
      };
    };
    responses: {
      /** @description Exports everything that is stored about a sender, as JSON lines */
      200: {
        headers: {};
        content: {
          /**
           * @example {
           *       "type": "export",
           *       "sender": "15550198",
           *       "personIds": [
           *         "15550198"
           *       ],
           *       "workspaceId": null,
           *       "channelId": null,
           *       "createdAt": "2026-01-31T08:00:00.240Z"
           *     }
           */
          'application/x-ndjson': components['schemas']['PersonExportLine'];
        };
      };
    };
  };
  getUsage: {
    parameters: {
      query?: {
        /**
         * @description Whether each row is for the `organization` (default), a `workspace` or a `channel`.
         * @example organization
         */
        by?: 'organization' | 'workspace' | 'channel';
        /**
         * @description Counts this channel only, in all workspaces that held it.
         * @example ch_8fKq2ZrW
         */
        channelId?: string;
        /**
         * @description Length of a row: `day` (default) or `month`.
         * @example day
         */
        groupBy?: 'day' | 'month';
        /**
         * @description First day, in UTC, not before 2000-01-01; 30 days ago by default.
         * @example 2026-01-01
         */
        since?: string;
        /**
         * @description Day after the last one, in UTC; tomorrow by default. At most 800 days after it begins.
         * @example 2026-01-31
         */
        until?: string;
        /**
         * @description Counts this workspace only, which may be deleted.
         * @example ws_4Tg7LmQ2
         */
        workspaceId?: string;
      };
      path: {
        /**
         * @description Id of the organization.
         * @example org_N0rthw1d
         */
        org: string;
      };
    };
    responses: {
      /** @description Returns what an organization, its workspaces or channels were used for, by day or month */
      200: {
        headers: {};
        content: {
          /**
           * @example {
           *       "since": "2026-01-01",
           *       "until": "2026-01-31",
           *       "countedUntil": "2026-01-31T08:00:00.000Z",
           *       "usage": [
           *         {
           *           "day": "2026-01-31",
           *           "workspaceId": "ws_4Tg7LmQ2",
           *           "channelId": null,
           *           "events": 120,
           *           "deliveries": 128,
           *           "attempts": 131,
           *           "sends": 64,
           *           "publishes": 3
           *         }
           *       ],
           *       "isComplete": true
           *     }
           */
          'application/json': components['schemas']['Usage'];
        };
      };
    };
  };
  exportUsage: {
    parameters: {
      query?: {
        /**
         * @description Whether each row is for the `organization` (default), a `workspace` or a `channel`.
         * @example organization
         */
        by?: 'organization' | 'workspace' | 'channel';
        /**
         * @description Counts this channel only, in all workspaces that held it.
         * @example ch_8fKq2ZrW
         */
        channelId?: string;
        /**
         * @description Length of a row: `day` (default) or `month`.
         * @example day
         */
        groupBy?: 'day' | 'month';
        /**
         * @description First day, in UTC, not before 2000-01-01; 30 days ago by default.
         * @example 2026-01-01
         */
        since?: string;
        /**
         * @description Day after the last one, in UTC; tomorrow by default. At most 800 days after it begins.
         * @example 2026-01-31
         */
        until?: string;
        /**
         * @description Counts this workspace only, which may be deleted.
         * @example ws_4Tg7LmQ2
         */
        workspaceId?: string;
      };
      path: {
        /**
         * @description Id of the organization.
         * @example org_N0rthw1d
         */
        org: string;
      };
    };
    responses: {
      /** @description Returns the usage as a CSV file */
      200: {
        headers: {};
        content: {
          /**
           * @example day,workspaceId,channelId,events,deliveries,attempts,sends,publishes
           *     2026-01-31,ws_4Tg7LmQ2,,120,128,131,64,3
           */
          'text/csv': string;
        };
      };
    };
  };
  listWorkspaces: {
    parameters: {
      query?: {
        /** @description The previous `nextCursor`. */
        cursor?: string;
        /**
         * @description Filters by external id.
         * @example customer-4711
         */
        externalId?: string;
        /**
         * @description Filters by kind.
         * @example customer
         */
        kind?: 'team' | 'customer';
        /**
         * @description Records per page; 50 by default.
         * @example 50
         */
        limit?: number;
        /** @description Filters by a part of the name or of the external id, in any case. */
        search?: string;
      };
      path: {
        /**
         * @description Id of the organization.
         * @example org_N0rthw1d
         */
        org: string;
      };
    };
    responses: {
      /** @description Lists the workspaces of an organization, newest first */
      200: {
        headers: {};
        content: {
          /**
           * @example {
           *       "workspaces": [
           *         {
           *           "id": "ws_4Tg7LmQ2",
           *           "organizationId": "org_N0rthw1d",
           *           "name": "Sunrise Bakery",
           *           "kind": "customer",
           *           "externalId": "customer-4711",
           *           "createdAt": "2026-01-12T09:20:00.000Z"
           *         }
           *       ],
           *       "nextCursor": null
           *     }
           */
          'application/json': components['schemas']['WorkspaceList'];
        };
      };
    };
  };
  createWorkspace: {
    parameters: {
      path: {
        /**
         * @description Id of the organization.
         * @example org_N0rthw1d
         */
        org: string;
      };
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "name": "Sunrise Bakery",
         *       "kind": "customer",
         *       "externalId": "customer-4711"
         *     }
         */
        'application/json': components['schemas']['WorkspaceInput'];
      };
    };
    responses: {
      /** @description Creates a workspace */
      201: {
        headers: {};
        content: {
          /**
           * @example {
           *       "id": "ws_4Tg7LmQ2",
           *       "organizationId": "org_N0rthw1d",
           *       "name": "Sunrise Bakery",
           *       "kind": "customer",
           *       "externalId": "customer-4711",
           *       "createdAt": "2026-01-12T09:20:00.000Z"
           *     }
           */
          'application/json': components['schemas']['Workspace'];
        };
      };
    };
  };
  listChannels: {
    parameters: {
      query?: {
        /** @description The previous `nextCursor`. */
        cursor?: string;
        /**
         * @description Records per page; 50 by default.
         * @example 50
         */
        limit?: number;
        /**
         * @description Filters by the link that connected the channel.
         * @example ol_E8jTz5Qa
         */
        onboardingLinkId?: string;
      };
    };
    responses: {
      /** @description Lists the channels of the workspace, newest first */
      200: {
        headers: {};
        content: {
          /**
           * @example {
           *       "channels": [
           *         {
           *           "id": "ch_8fKq2ZrW",
           *           "type": "chatapp",
           *           "workspaceId": "ws_4Tg7LmQ2",
           *           "displayName": "Sunrise Bakery",
           *           "metaResourceId": "106540352242922",
           *           "phoneNumberId": "106540352242922",
           *           "businessAccountId": "102290129340398",
           *           "connectionType": "oauth",
           *           "credentialId": "cred_pX3vB8yD",
           *           "connected": true,
           *           "disconnectedReason": null,
           *           "credentialRefusedAt": null,
           *           "credentialRefusedReason": null,
           *           "forwardingEnabled": true,
           *           "webhookUrl": "https://hooks.northwind.example/channels",
           *           "delivery": null,
           *           "linkedChannelId": null,
           *           "onboardingLinkId": "ol_E8jTz5Qa",
           *           "createdAt": "2026-01-12T09:41:00.000Z",
           *           "updatedAt": "2026-01-12T09:50:00.000Z"
           *         }
           *       ],
           *       "nextCursor": null
           *     }
           */
          'application/json': components['schemas']['ChannelList'];
        };
      };
    };
  };
  getChannel: {
    parameters: {
      path: {
        /**
         * @description Id of the channel.
         * @example ch_8fKq2ZrW
         */
        ch: string;
      };
    };
    responses: {
      /** @description Returns a channel */
      200: {
        headers: {};
        content: {
          /**
           * @example {
           *       "id": "ch_8fKq2ZrW",
           *       "type": "chatapp",
           *       "workspaceId": "ws_4Tg7LmQ2",
           *       "displayName": "Sunrise Bakery",
           *       "metaResourceId": "106540352242922",
           *       "phoneNumberId": "106540352242922",
           *       "businessAccountId": "102290129340398",
           *       "connectionType": "oauth",
           *       "credentialId": "cred_pX3vB8yD",
           *       "connected": true,
           *       "disconnectedReason": null,
           *       "credentialRefusedAt": null,
           *       "credentialRefusedReason": null,
           *       "forwardingEnabled": true,
           *       "webhookUrl": "https://hooks.northwind.example/channels",
           *       "delivery": null,
           *       "linkedChannelId": null,
           *       "onboardingLinkId": "ol_E8jTz5Qa",
           *       "createdAt": "2026-01-12T09:41:00.000Z",
           *       "updatedAt": "2026-01-12T09:50:00.000Z"
           *     }
           */
          'application/json': components['schemas']['Channel'];
        };
      };
    };
  };
  disableChannel: {
    parameters: {
      path: {
        /**
         * @description Id of the channel.
         * @example ch_8fKq2ZrW
         */
        ch: string;
      };
    };
    responses: {
      /** @description Disables forwarding */
      200: {
        headers: {};
        content: {
          /**
           * @example {
           *       "id": "ch_8fKq2ZrW",
           *       "type": "chatapp",
           *       "workspaceId": "ws_4Tg7LmQ2",
           *       "displayName": "Sunrise Bakery",
           *       "metaResourceId": "106540352242922",
           *       "phoneNumberId": "106540352242922",
           *       "businessAccountId": "102290129340398",
           *       "connectionType": "oauth",
           *       "credentialId": "cred_pX3vB8yD",
           *       "connected": true,
           *       "disconnectedReason": null,
           *       "credentialRefusedAt": null,
           *       "credentialRefusedReason": null,
           *       "forwardingEnabled": false,
           *       "webhookUrl": "https://hooks.northwind.example/channels",
           *       "delivery": null,
           *       "linkedChannelId": null,
           *       "onboardingLinkId": "ol_E8jTz5Qa",
           *       "createdAt": "2026-01-12T09:41:00.000Z",
           *       "updatedAt": "2026-01-12T09:50:00.000Z"
           *     }
           */
          'application/json': components['schemas']['Channel'];
        };
      };
    };
  };
  disconnectChannel: {
    parameters: {
      path: {
        /**
         * @description Id of the channel.
         * @example ch_8fKq2ZrW
         */
        ch: string;
      };
    };
    responses: {
      /** @description Disconnects a channel from the platform */
      200: {
        headers: {};
        content: {
          /**
           * @example {
           *       "id": "ch_8fKq2ZrW",
           *       "type": "chatapp",
           *       "workspaceId": "ws_4Tg7LmQ2",
           *       "displayName": "Sunrise Bakery",
           *       "metaResourceId": "106540352242922",
           *       "phoneNumberId": "106540352242922",
           *       "businessAccountId": "102290129340398",
           *       "connectionType": "oauth",
           *       "credentialId": "cred_pX3vB8yD",
           *       "connected": false,
           *       "disconnectedReason": null,
           *       "credentialRefusedAt": null,
           *       "credentialRefusedReason": null,
           *       "forwardingEnabled": false,
           *       "webhookUrl": "https://hooks.northwind.example/channels",
           *       "delivery": null,
           *       "linkedChannelId": null,
           *       "onboardingLinkId": "ol_E8jTz5Qa",
           *       "createdAt": "2026-01-12T09:41:00.000Z",
           *       "updatedAt": "2026-01-12T09:50:00.000Z"
           *     }
           */
          'application/json': components['schemas']['Channel'];
        };
      };
    };
  };
  enableChannel: {
    parameters: {
      path: {
        /**
         * @description Id of the channel.
         * @example ch_8fKq2ZrW
         */
        ch: string;
      };
    };
    responses: {
      /** @description Enables forwarding */
      200: {
        headers: {};
        content: {
          /**
           * @example {
           *       "id": "ch_8fKq2ZrW",
           *       "type": "chatapp",
           *       "workspaceId": "ws_4Tg7LmQ2",
           *       "displayName": "Sunrise Bakery",
           *       "metaResourceId": "106540352242922",
           *       "phoneNumberId": "106540352242922",
           *       "businessAccountId": "102290129340398",
           *       "connectionType": "oauth",
           *       "credentialId": "cred_pX3vB8yD",
           *       "connected": true,
           *       "disconnectedReason": null,
           *       "credentialRefusedAt": null,
           *       "credentialRefusedReason": null,
           *       "forwardingEnabled": true,
           *       "webhookUrl": "https://hooks.northwind.example/channels",
           *       "delivery": null,
           *       "linkedChannelId": null,
           *       "onboardingLinkId": "ol_E8jTz5Qa",
           *       "createdAt": "2026-01-12T09:41:00.000Z",
           *       "updatedAt": "2026-01-12T09:50:00.000Z"
           *     }
           */
          'application/json': components['schemas']['Channel'];
        };
      };
    };
  };
  getChannelEnv: {
    parameters: {
      path: {
        /**
         * @description Id of the channel.
         * @example ch_8fKq2ZrW
         */
        ch: string;
      };
    };
    responses: {
      /** @description Returns environment variables for a client of the channel */
      200: {
        headers: {};
        content: {
          /**
           * @example {
           *       "channelType": "chatapp",
           *       "values": {
           *         "PLATFORM_GRAPH_API_URL": "https://gateway.example.com/platform/v23.0",
           *         "SERVICE_CHANNEL_ID": "ch_8fKq2ZrW",
           *         "SERVICE_WORKSPACE_ID": "ws_4Tg7LmQ2",
           *         "VERIFY_TOKEN": "sunrise-verify-2f9c",
           *         "WEBHOOK_HMAC_SECRET": "whsec_T3Vyc2VjcmV0Zm9ydGhlZXhhbXBsZXNPbmx5ITEyMzQ=",
           *         "CHATAPP_ACCESS_TOKEN": "hmat_ExampleOnly0ExampleOnly1ExampleOnly2Example",
           *         "CHATAPP_RESOURCE_ID": "106540352242922"
           *       },
           *       "businessAccountId": "102290129340398"
           *     }
           */
          'application/json': components['schemas']['ChannelEnv'];
        };
      };
    };
  };
  getChannelToken: {
    parameters: {
      path: {
        /**
         * @description Id of the channel.
         * @example ch_8fKq2ZrW
         */
        ch: string;
      };
    };
    responses: {
      /** @description Returns the channel's token for the gateway */
      200: {
        headers: {};
        content: {
          /**
           * @example {
           *       "token": "hmat_ExampleOnly0ExampleOnly1ExampleOnly2Example",
           *       "tokenPrefix": "hmat_ExampleOn",
           *       "tokenSuffix": "mple",
           *       "baseUrl": "https://gateway.example.com/platform/v23.0",
           *       "scopes": null,
           *       "expiresAt": null
           *     }
           */
          'application/json': components['schemas']['ChannelToken'];
        };
      };
    };
  };
  rotateChannelToken: {
    parameters: {
      header?: {
        /**
         * @description Identifies one operation, with 1 to 255 printable ASCII characters. A repeated request with the same key and body returns the first response, and waits for it while the first request runs. A refusal that did nothing frees the key.
         * @example 7d1f0c52-order-118
         */
        'Idempotency-Key'?: string;
      };
      path: {
        /**
         * @description Id of the channel.
         * @example ch_8fKq2ZrW
         */
        ch: string;
      };
    };
    requestBody?: {
      content: {
        /**
         * @example {
         *       "overlapSeconds": 3600
         *     }
         */
        'application/json': components['schemas']['TokenRotationInput'];
      };
    };
    responses: {
      /** @description Mints a new channel token */
      200: {
        headers: {};
        content: {
          /**
           * @example {
           *       "token": "hmat_ExampleOnly0ExampleOnly1ExampleOnly2Example",
           *       "tokenPrefix": "hmat_ExampleOn",
           *       "tokenSuffix": "mple",
           *       "baseUrl": "https://gateway.example.com/platform/v23.0",
           *       "scopes": null,
           *       "expiresAt": null,
           *       "previousTokenExpiresAt": "2026-01-31T09:00:00.000Z"
           *     }
           */
          'application/json': components['schemas']['RotatedToken'];
        };
      };
    };
  };
  answerHandshake: {
    parameters: {
      query: {
        /**
         * @description Is returned.
         * @example 1158201444
         */
        'hub.challenge': string;
        /**
         * @description Always `subscribe`.
         * @example subscribe
         */
        'hub.mode': 'subscribe';
        /**
         * @description As it is set at the platform.
         * @example vt_4kQ9
         */
        'hub.verify_token': string;
      };
    };
    responses: {
      /** @description The challenge. */
      200: {
        headers: {};
        content: {
          /** @example 1158201444 */
          'text/plain': string;
        };
      };
    };
  };
  acceptPlatformEvents: {
    parameters: {
      header: {
        /**
         * @description `sha256=` and the HMAC-SHA256 of the raw body, keyed on the app secret. The only accepted credential.
         * @example sha256=6b1f4c2e0d9a8b7c6d5e4f3a2b1c0d9e8f7a6b5c4d3e2f1a0b9c8d7e6f5a4b3c
         */
        'X-Hub-Signature-256': string;
      };
    };
    requestBody: {
      content: {
        /** @example {} */
        'application/json': {
          [key: string]: unknown;
        };
      };
    };
    responses: {
      /** @description All events are stored. */
      200: {
        headers: {};
      };
    };
  };
  startPortalSession: {
    parameters: {};
    requestBody: {
      content: {
        /**
         * @example {
         *       "portalLinkId": "ptl_L9rG5vTc",
         *       "secret": "ExamplePortalSecretExamplePortalSecretExamp"
         *     }
         */
        'application/json': components['schemas']['PortalSessionInput'];
      };
    };
    responses: {
      /** @description Exchanges the secret of a portal link for a session */
      200: {
        headers: {};
        content: {
          /**
           * @example {
           *       "accessToken": "eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiJ1c3JfbUFydDRMb3AifQ.c2lnbmF0dXJl",
           *       "expiresAt": "2026-01-31T09:00:00.000Z",
           *       "rights": [
           *         "channels.read",
           *         "deliveries.read"
           *       ],
           *       "organization": {
           *         "id": "org_N0rthw1d",
           *         "name": "Northwind Agency"
           *       },
           *       "workspace": {
           *         "id": "ws_4Tg7LmQ2",
           *         "name": "Sunrise Bakery"
           *       },
           *       "channelIds": null,
           *       "branding": {
           *         "displayName": "Northwind Agency",
           *         "logoUrl": "https://cdn.northwind.example/logo.png",
           *         "color": "#1d4ed8",
           *         "textColor": "#ffffff"
           *       }
           *     }
           */
          'application/json': components['schemas']['PortalSession'];
        };
      };
    };
  };
  getReadiness: {
    parameters: {};
    responses: {
      /** @description Reports whether the process can serve requests */
      200: {
        headers: {};
        content: {
          /**
           * @example {
           *       "status": "ready",
           *       "database": "ok",
           *       "temporal": "ok"
           *     }
           */
          'application/json': components['schemas']['Readiness'];
        };
      };
    };
  };
  listReplays: {
    parameters: {
      query?: {
        /** @description The previous `nextCursor`. */
        cursor?: string;
        /**
         * @description Records per page; 50 by default.
         * @example 50
         */
        limit?: number;
        /**
         * @description The workspace in X-Workspace-Id by default.
         * @example channel:ch_8fKq2ZrW
         */
        scope?: string;
      };
    };
    responses: {
      /** @description Lists the replays of a channel, workspace or organization, newest first */
      200: {
        headers: {};
        content: {
          /**
           * @example {
           *       "replays": [
           *         {
           *           "replayId": "rpl_sD9vG3bX",
           *           "status": "completed",
           *           "scope": "channel:ch_8fKq2ZrW",
           *           "since": "2026-01-30T00:00:00.000Z",
           *           "until": "2026-01-31T00:00:00.000Z",
           *           "statuses": [
           *             "exhausted",
           *             "skipped"
           *           ],
           *           "eventTypes": null,
           *           "channelIds": null,
           *           "originalDestinations": null,
           *           "httpStatuses": null,
           *           "selectedBy": [
           *             "search"
           *           ],
           *           "destination": "webhook",
           *           "ratePerSecond": 10,
           *           "matched": 42,
           *           "sent": 42,
           *           "delivered": 41,
           *           "failed": 1,
           *           "waiting": 0,
           *           "createdAt": "2026-01-31T09:00:00.000Z",
           *           "startedAt": "2026-01-31T09:00:01.000Z",
           *           "endedAt": "2026-01-31T09:00:06.000Z",
           *           "workflowId": "replay/rpl_sD9vG3bX"
           *         }
           *       ],
           *       "nextCursor": null
           *     }
           */
          'application/json': components['schemas']['ReplayList'];
        };
      };
    };
  };
  createReplay: {
    parameters: {
      header?: {
        /**
         * @description Identifies one operation, with 1 to 255 printable ASCII characters. A repeated request with the same key and body returns the first response, and waits for it while the first request runs. A refusal that did nothing frees the key.
         * @example 7d1f0c52-order-118
         */
        'Idempotency-Key'?: string;
      };
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "scope": "channel:ch_8fKq2ZrW",
         *       "since": "2026-01-30T00:00:00.000Z",
         *       "until": "2026-01-31T00:00:00.000Z",
         *       "statuses": [
         *         "exhausted",
         *         "skipped"
         *       ],
         *       "dryRun": true
         *     }
         */
        'application/json': {
          /** @description Filters by channel. */
          channelIds?: string[];
          /** @description Sends everything to the `webhook`, or to a subscription or a listener of the channel in `scope`. Each delivery's destination by default. */
          destination?: string;
          /** @description Whether to count the deliveries without sending them. */
          dryRun?: boolean;
          eventTypes?: (
            | 'chatapp.message.received'
            | 'chatapp.message.status'
            | 'photoapp.message.received'
            | 'photoapp.comment.received'
            | 'pageapp.message.received'
            | 'pageapp.message.reaction'
            | 'pageapp.message.read'
            | 'pageapp.message.delivered'
            | 'pageapp.postback.received'
            | 'pageapp.comment.received'
            | 'pageapp.post.changed'
            | 'chatapp.other.received'
            | 'photoapp.other.received'
            | 'pageapp.other.received'
          )[];
          /** @description Filters by the last response: `5xx`, `404` or `none`. */
          httpStatuses?: string[];
          /** @description Filters by where the deliveries went, as `destination` of the list does. */
          originalDestinations?: string[];
          /** @description The platform's id of the message. */
          platformMessageId?: string;
          /** @description Maximum number of events per second; 50 by default. */
          ratePerSecond?: number;
          /** @description `channel:<id>`, `workspace:<id>` or `organization:<id>`. */
          scope: string;
          /** @description As in the list. A text is compared with at most 20,000 deliveries. */
          search?: string;
          /** @description The sender's id at the platform. */
          sender?: string;
          /**
           * Format: date-time
           * @description Deliveries created at or after this time.
           */
          since: string;
          /** @description Deliveries that have one of these statuses when the replay is created. */
          statuses: ('pending' | 'retrying' | 'delivered' | 'exhausted' | 'cancelled' | 'skipped')[];
          /**
           * Format: date-time
           * @description Deliveries created before this time. Must be later than `since`.
           */
          until: string;
        };
      };
    };
    responses: {
      /** @description Creates a replay, which sends old events again */
      202: {
        headers: {};
        content: {
          /**
           * @example {
           *       "replayId": "rpl_sD9vG3bX",
           *       "matched": 42,
           *       "isCountComplete": true,
           *       "ratePerSecond": 10,
           *       "unverifiedDestinations": 0
           *     }
           */
          'application/json': components['schemas']['ReplayStarted'];
        };
      };
    };
  };
  getReplay: {
    parameters: {
      path: {
        /**
         * @description Id of the replay.
         * @example rpl_sD9vG3bX
         */
        rpl: string;
      };
    };
    responses: {
      /** @description Returns a replay with its progress */
      200: {
        headers: {};
        content: {
          /**
           * @example {
           *       "replayId": "rpl_sD9vG3bX",
           *       "status": "completed",
           *       "scope": "channel:ch_8fKq2ZrW",
           *       "since": "2026-01-30T00:00:00.000Z",
           *       "until": "2026-01-31T00:00:00.000Z",
           *       "statuses": [
           *         "exhausted",
           *         "skipped"
           *       ],
           *       "eventTypes": null,
           *       "channelIds": null,
           *       "originalDestinations": null,
           *       "httpStatuses": null,
           *       "selectedBy": [
           *         "search"
           *       ],
           *       "destination": "webhook",
           *       "ratePerSecond": 10,
           *       "matched": 42,
           *       "sent": 42,
           *       "delivered": 41,
           *       "failed": 1,
           *       "waiting": 0,
           *       "createdAt": "2026-01-31T09:00:00.000Z",
           *       "startedAt": "2026-01-31T09:00:01.000Z",
           *       "endedAt": "2026-01-31T09:00:06.000Z",
           *       "workflowId": "replay/rpl_sD9vG3bX"
           *     }
           */
          'application/json': components['schemas']['Replay'];
        };
      };
    };
  };
  cancelReplay: {
    parameters: {
      path: {
        /**
         * @description Id of the replay.
         * @example rpl_sD9vG3bX
         */
        rpl: string;
      };
    };
    responses: {
      /** @description Cancels a replay */
      202: {
        headers: {};
        content: {
          /**
           * @example {
           *       "replayId": "rpl_sD9vG3bX",
           *       "status": "cancelled",
           *       "scope": "channel:ch_8fKq2ZrW",
           *       "since": "2026-01-30T00:00:00.000Z",
           *       "until": "2026-01-31T00:00:00.000Z",
           *       "statuses": [
           *         "exhausted",
           *         "skipped"
           *       ],
           *       "eventTypes": null,
           *       "channelIds": null,
           *       "originalDestinations": null,
           *       "httpStatuses": null,
           *       "selectedBy": [
           *         "search"
           *       ],
           *       "destination": "webhook",
           *       "ratePerSecond": 10,
           *       "matched": 42,
           *       "sent": 20,
           *       "delivered": 20,
           *       "failed": 0,
           *       "waiting": 0,
           *       "createdAt": "2026-01-31T09:00:00.000Z",
           *       "startedAt": "2026-01-31T09:00:01.000Z",
           *       "endedAt": "2026-01-31T09:00:06.000Z",
           *       "workflowId": "replay/rpl_sD9vG3bX"
           *     }
           */
          'application/json': components['schemas']['Replay'];
        };
      };
    };
  };
  pauseReplay: {
    parameters: {
      path: {
        /**
         * @description Id of the replay.
         * @example rpl_sD9vG3bX
         */
        rpl: string;
      };
    };
    responses: {
      /** @description Pauses a replay */
      202: {
        headers: {};
        content: {
          /**
           * @example {
           *       "replayId": "rpl_sD9vG3bX",
           *       "status": "paused",
           *       "scope": "channel:ch_8fKq2ZrW",
           *       "since": "2026-01-30T00:00:00.000Z",
           *       "until": "2026-01-31T00:00:00.000Z",
           *       "statuses": [
           *         "exhausted",
           *         "skipped"
           *       ],
           *       "eventTypes": null,
           *       "channelIds": null,
           *       "originalDestinations": null,
           *       "httpStatuses": null,
           *       "selectedBy": [
           *         "search"
           *       ],
           *       "destination": "webhook",
           *       "ratePerSecond": 10,
           *       "matched": 42,
           *       "sent": 20,
           *       "delivered": 20,
           *       "failed": 0,
           *       "waiting": 0,
           *       "createdAt": "2026-01-31T09:00:00.000Z",
           *       "startedAt": "2026-01-31T09:00:01.000Z",
           *       "endedAt": null,
           *       "workflowId": "replay/rpl_sD9vG3bX"
           *     }
           */
          'application/json': components['schemas']['Replay'];
        };
      };
    };
  };
  resumeReplay: {
    parameters: {
      path: {
        /**
         * @description Id of the replay.
         * @example rpl_sD9vG3bX
         */
        rpl: string;
      };
    };
    responses: {
      /** @description Resumes a paused replay */
      202: {
        headers: {};
        content: {
          /**
           * @example {
           *       "replayId": "rpl_sD9vG3bX",
           *       "status": "running",
           *       "scope": "channel:ch_8fKq2ZrW",
           *       "since": "2026-01-30T00:00:00.000Z",
           *       "until": "2026-01-31T00:00:00.000Z",
           *       "statuses": [
           *         "exhausted",
           *         "skipped"
           *       ],
           *       "eventTypes": null,
           *       "channelIds": null,
           *       "originalDestinations": null,
           *       "httpStatuses": null,
           *       "selectedBy": [
           *         "search"
           *       ],
           *       "destination": "webhook",
           *       "ratePerSecond": 10,
           *       "matched": 42,
           *       "sent": 20,
           *       "delivered": 20,
           *       "failed": 0,
           *       "waiting": 0,
           *       "createdAt": "2026-01-31T09:00:00.000Z",
           *       "startedAt": "2026-01-31T09:00:01.000Z",
           *       "endedAt": null,
           *       "workflowId": "replay/rpl_sD9vG3bX"
           *     }
           */
          'application/json': components['schemas']['Replay'];
        };
      };
    };
  };
  listStaffAuditEntries: {
    parameters: {
      query: {
        /**
         * @description Such as `webhook.set`.
         * @example webhook.set
         */
        action?: string;
        /**
         * @description Filters by the actor's id.
         * @example usr_mArt4Lop
         */
        actor?: string;
        /** @description The previous `nextCursor`. */
        cursor?: string;
        /**
         * @description Records per page; 50 by default.
         * @example 50
         */
        limit?: number;
        /**
         * @description The reason, which members of the organization can read in the audit log.
         * @example Requested by the customer
         */
        reason: string;
        /**
         * @description At or after this time.
         * @example 2026-01-30T00:00:00.000Z
         */
        since?: string;
        /**
         * @description Before this time.
         * @example 2026-01-31T00:00:00.000Z
         */
        until?: string;
      };
    };
    responses: {
      /** @description Lists actions of staff */
      200: {
        headers: {};
        content: {
          /**
           * @example {
           *       "entries": [
           *         {
           *           "at": "2026-01-31T08:00:00.000Z",
           *           "actor": {
           *             "type": "staff",
           *             "id": "support",
           *             "name": "Sunrise Bakery"
           *           },
           *           "action": "delivery.retried",
           *           "targetId": "wd_Zk9Wq3Lt",
           *           "workspaceId": "ws_4Tg7LmQ2",
           *           "reason": "Receiver was down until noon",
           *           "requestId": "req_mU3vX8qLzT1aYbKd",
           *           "callerRequestId": null,
           *           "clientAddress": "203.0.113.24",
           *           "organizationId": "org_N0rthw1d",
           *           "person": null
           *         }
           *       ],
           *       "nextCursor": null
           *     }
           */
          'application/json': components['schemas']['StaffAuditEntryList'];
        };
      };
    };
  };
  getChannelHealth: {
    parameters: {
      query: {
        /**
         * @description The reason, which members of the organization can read in the audit log.
         * @example Requested by the customer
         */
        reason: string;
      };
      path: {
        /**
         * @description Id of the channel.
         * @example ch_8fKq2ZrW
         */
        ch: string;
      };
    };
    responses: {
      /** @description Returns the health of a channel of any organization */
      200: {
        headers: {};
        content: {
          /**
           * @example {
           *       "channelId": "ch_8fKq2ZrW",
           *       "type": "chatapp",
           *       "displayName": "Sunrise Bakery",
           *       "resourceId": "106540352242922",
           *       "organizationId": "org_N0rthw1d",
           *       "organizationName": "Northwind Agency",
           *       "workspaceId": "ws_4Tg7LmQ2",
           *       "connected": true,
           *       "credentialRefusedAt": null,
           *       "forwardingEnabled": true,
           *       "destinations": [
           *         {
           *           "type": "webhook",
           *           "url": "https://hooks.northwind.example/channels",
           *           "label": null,
           *           "subscriptionId": null,
           *           "listenerId": null,
           *           "isKept": false,
           *           "ordering": "conversation",
           *           "sendsTraceParent": false,
           *           "headers": [
           *             "x-api-version"
           *           ],
           *           "authentication": {
           *             "type": "basic",
           *             "username": "northwind"
           *           },
           *           "timeoutSeconds": null,
           *           "rate": {
           *             "requestsPerSecond": null,
           *             "concurrency": null
           *           },
           *           "retrySchedule": "default",
           *           "debounce": null,
           *           "enabled": true,
           *           "disabledReason": null,
           *           "circuit": {
           *             "state": "closed",
           *             "reason": null,
           *             "openedAt": null,
           *             "nextProbeAt": null,
           *             "temporalUrl": null
           *           },
           *           "consecutiveFailures": 0,
           *           "failingSince": null,
           *           "notSettlingSince": null,
           *           "lastDeliveredAt": "2026-01-31T08:00:00.512Z",
           *           "lastFailureAt": null,
           *           "waiting": {
           *             "pending": 0,
           *             "retrying": 0
           *           },
           *           "oldestWaitingAt": null
           *         }
           *       ],
           *       "waiting": {
           *         "pending": 2,
           *         "retrying": 1
           *       },
           *       "oldestWaitingSeconds": null,
           *       "temporalUrls": null
           *     }
           */
          'application/json': components['schemas']['ChannelHealth'];
        };
      };
    };
  };
  sendUnroutedEvents: {
    parameters: {
      path: {
        /**
         * @description Id of the channel.
         * @example ch_8fKq2ZrW
         */
        ch: string;
      };
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "reason": "Requested by the customer"
         *     }
         */
        'application/json': components['schemas']['UnroutedSendInput'];
      };
    };
    responses: {
      /** @description Sends unrouted events of the channel's account on to the channel */
      200: {
        headers: {};
        content: {
          /**
           * @example {
           *       "channelId": "ch_8fKq2ZrW",
           *       "sentCount": 3,
           *       "skippedCount": 0,
           *       "hasMore": false,
           *       "nextCursor": null
           *     }
           */
          'application/json': components['schemas']['UnroutedSent'];
        };
      };
    };
  };
  searchDeliveries: {
    parameters: {
      query: {
        /**
         * @description Filters by channel.
         * @example ch_8fKq2ZrW
         */
        channelId?: string;
        /** @description The previous `nextCursor`. */
        cursor?: string;
        /**
         * @description Filters by delivery.
         * @example wd_Zk9Wq3Lt
         */
        deliveryId?: string;
        /**
         * @description `webhook`, or the id of a subscription or a listener.
         * @example webhook
         */
        destination?: string;
        /**
         * @description Filters by event.
         * @example evt_b7Vd2NxS
         */
        eventId?: string;
        /** @description Filters by event type: one or more of chatapp.message.received, chatapp.message.status, photoapp.message.received, photoapp.comment.received, pageapp.message.received, pageapp.message.reaction, pageapp.message.read, pageapp.message.delivered, pageapp.postback.received, pageapp.comment.received, pageapp.post.changed, chatapp.other.received, photoapp.other.received, pageapp.other.received, comma-separated. */
        eventType?: string;
        /**
         * @description Records per page; 50 by default.
         * @example 50
         */
        limit?: number;
        /**
         * @description Filters by organization.
         * @example org_N0rthw1d
         */
        organizationId?: string;
        /**
         * @description The platform's id of the message.
         * @example wamid.HBgLMTU1NTAxOTg
         */
        platformMessageId?: string;
        /**
         * @description The reason, which members of the organization can read in the audit log.
         * @example Requested by the customer
         */
        reason: string;
        /**
         * @description The sender's id at the platform.
         * @example 15550198
         */
        sender?: string;
        /**
         * @description Received at or after this time.
         * @example 2026-01-30T00:00:00.000Z
         */
        since?: string;
        /**
         * @description Filters by status: one or more of pending, retrying, delivered, exhausted, cancelled, skipped, comma-separated.
         * @example delivered
         */
        status?: string;
        /**
         * @description Received before this time.
         * @example 2026-01-31T00:00:00.000Z
         */
        until?: string;
        /**
         * @description Filters by workspace.
         * @example ws_4Tg7LmQ2
         */
        workspaceId?: string;
      };
    };
    responses: {
      /** @description Searches deliveries of all organizations */
      200: {
        headers: {};
        content: {
          /**
           * @example {
           *       "deliveries": [
           *         {
           *           "deliveryId": "wd_Zk9Wq3Lt",
           *           "eventId": "evt_b7Vd2NxS",
           *           "channelId": "ch_8fKq2ZrW",
           *           "channelName": "Sunrise Bakery",
           *           "eventType": "chatapp.message.received",
           *           "destination": {
           *             "type": "webhook",
           *             "url": "https://hooks.northwind.example/channels",
           *             "label": null,
           *             "subscriptionId": null,
           *             "listenerId": null
           *           },
           *           "status": "delivered",
           *           "sender": "15550198",
           *           "platformMessageId": "wamid.HBgLMTU1NTAxOTg",
           *           "receivedAt": "2026-01-31T08:00:00.120Z",
           *           "createdAt": "2026-01-31T08:00:00.240Z",
           *           "nextAttemptAt": null,
           *           "waitsForCircuit": null,
           *           "skipReason": null,
           *           "attemptCount": 1,
           *           "cancellation": null,
           *           "workflowId": null,
           *           "replayOf": null,
           *           "replayId": null,
           *           "traceId": "4bf92f3577b34da6a3ce929d0e0e4736",
           *           "erasedAt": null,
           *           "organizationId": "org_N0rthw1d",
           *           "organizationName": "Northwind Agency",
           *           "workspaceId": "ws_4Tg7LmQ2",
           *           "temporalUrl": null
           *         }
           *       ],
           *       "nextCursor": null
           *     }
           */
          'application/json': components['schemas']['StaffDeliveryList'];
        };
      };
    };
  };
  readStaffDelivery: {
    parameters: {
      query: {
        /**
         * @description The reason, which members of the organization can read in the audit log.
         * @example Requested by the customer
         */
        reason: string;
      };
      path: {
        /**
         * @description Id of the delivery.
         * @example wd_Zk9Wq3Lt
         */
        wd: string;
      };
    };
    responses: {
      /** @description Returns a delivery of any organization with its payload and attempts */
      200: {
        headers: {};
        content: {
          /**
           * @example {
           *       "deliveryId": "wd_Zk9Wq3Lt",
           *       "eventId": "evt_b7Vd2NxS",
           *       "channelId": "ch_8fKq2ZrW",
           *       "channelName": "Sunrise Bakery",
           *       "eventType": "chatapp.message.received",
           *       "destination": {
           *         "type": "webhook",
           *         "url": "https://hooks.northwind.example/channels",
           *         "label": null,
           *         "subscriptionId": null,
           *         "listenerId": null
           *       },
           *       "status": "delivered",
           *       "sender": "15550198",
           *       "platformMessageId": "wamid.HBgLMTU1NTAxOTg",
           *       "receivedAt": "2026-01-31T08:00:00.120Z",
           *       "createdAt": "2026-01-31T08:00:00.240Z",
           *       "nextAttemptAt": null,
           *       "waitsForCircuit": null,
           *       "skipReason": null,
           *       "attemptCount": 1,
           *       "cancellation": null,
           *       "workflowId": null,
           *       "replayOf": null,
           *       "replayId": null,
           *       "traceId": "4bf92f3577b34da6a3ce929d0e0e4736",
           *       "erasedAt": null,
           *       "payload": "{\"object\":\"chatapp\",\"entry\":[{\"id\":\"102290129340398\",\"changes\":[{\"field\":\"messages\",\"value\":{\"messaging_product\":\"chatapp\",\"metadata\":{\"display_phone_number\":\"+1 555 0142\",\"phone_number_id\":\"106540352242922\"},\"contacts\":[{\"profile\":{\"name\":\"Ana Torres\"},\"wa_id\":\"15550198\"}],\"messages\":[{\"from\":\"15550198\",\"id\":\"wamid.HBgLMTU1NTAxOTg\",\"timestamp\":\"1769846400\",\"type\":\"text\",\"text\":{\"body\":\"Do you have sourdough today?\"}}]}}]}]}",
           *       "attempts": [
           *         {
           *           "number": 1,
           *           "url": "https://hooks.northwind.example/channels",
           *           "startedAt": "2026-01-31T08:00:00.300Z",
           *           "durationMs": 212,
           *           "outcome": "accepted",
           *           "status": 200,
           *           "responseHeaders": {
           *             "content-type": "application/json"
           *           },
           *           "responseBody": "{\"ok\":true}",
           *           "error": null,
           *           "batch": null
           *         }
           *       ],
           *       "organizationId": "org_N0rthw1d",
           *       "organizationName": "Northwind Agency",
           *       "workspaceId": "ws_4Tg7LmQ2",
           *       "temporalUrl": null
           *     }
           */
          'application/json': components['schemas']['StaffDelivery'];
        };
      };
    };
  };
  replayStaffDelivery: {
    parameters: {
      header?: {
        /**
         * @description Identifies one operation, with 1 to 255 printable ASCII characters. A repeated request with the same key and body returns the first response, and waits for it while the first request runs. A refusal that did nothing frees the key.
         * @example 7d1f0c52-order-118
         */
        'Idempotency-Key'?: string;
      };
      path: {
        /**
         * @description Id of the delivery.
         * @example wd_Zk9Wq3Lt
         */
        wd: string;
      };
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "reason": "Requested by the customer",
         *       "destination": "webhook"
         *     }
         */
        'application/json': components['schemas']['StaffReplayInput'];
      };
    };
    responses: {
      /** @description Sends the event of a delivery again as a new delivery, as staff */
      202: {
        headers: {};
        content: {
          /**
           * @example {
           *       "deliveryId": "wd_Zk9Wq3Lt",
           *       "eventId": "evt_b7Vd2NxS",
           *       "channelId": "ch_8fKq2ZrW",
           *       "channelName": "Sunrise Bakery",
           *       "eventType": "chatapp.message.received",
           *       "destination": {
           *         "type": "webhook",
           *         "url": "https://hooks.northwind.example/channels",
           *         "label": null,
           *         "subscriptionId": null,
           *         "listenerId": null
           *       },
           *       "status": "delivered",
           *       "sender": "15550198",
           *       "platformMessageId": "wamid.HBgLMTU1NTAxOTg",
           *       "receivedAt": "2026-01-31T08:00:00.120Z",
           *       "createdAt": "2026-01-31T08:00:00.240Z",
           *       "nextAttemptAt": null,
           *       "waitsForCircuit": null,
           *       "skipReason": null,
           *       "attemptCount": 1,
           *       "cancellation": null,
           *       "workflowId": null,
           *       "replayOf": null,
           *       "replayId": null,
           *       "traceId": "4bf92f3577b34da6a3ce929d0e0e4736",
           *       "erasedAt": null,
           *       "organizationId": "org_N0rthw1d",
           *       "organizationName": "Northwind Agency",
           *       "workspaceId": "ws_4Tg7LmQ2",
           *       "temporalUrl": null
           *     }
           */
          'application/json': components['schemas']['StaffDeliverySummary'];
        };
      };
    };
  };
  retryStaffDelivery: {
    parameters: {
      path: {
        /**
         * @description Id of the delivery.
         * @example wd_Zk9Wq3Lt
         */
        wd: string;
      };
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "reason": "Receiver was down until noon"
         *     }
         */
        'application/json': components['schemas']['StaffRetryInput'];
      };
    };
    responses: {
      /** @description Sends a waiting delivery now, as staff */
      202: {
        headers: {};
        content: {
          /**
           * @example {
           *       "deliveryId": "wd_Zk9Wq3Lt",
           *       "status": "pending"
           *     }
           */
          'application/json': components['schemas']['DeliveryRetry'];
        };
      };
    };
  };
  readInvariants: {
    parameters: {
      query: {
        /**
         * @description The reason, which members of the organization can read in the audit log.
         * @example Requested by the customer
         */
        reason: string;
      };
    };
    responses: {
      /** @description Returns the last daily check of the ledger */
      200: {
        headers: {};
        content: {
          /**
           * @example {
           *       "lastRun": {
           *         "startedAt": "2026-01-31T03:00:00.000Z",
           *         "endedAt": "2026-01-31T03:02:10.000Z",
           *         "eventCount": 48000,
           *         "deliveryCount": 51200
           *       },
           *       "rules": [
           *         {
           *           "rule": "event_without_delivery",
           *           "description": "An event has no delivery.",
           *           "count": 0,
           *           "samples": []
           *         }
           *       ]
           *     }
           */
          'application/json': components['schemas']['Invariants'];
        };
      };
    };
  };
  listStaffReplays: {
    parameters: {
      query: {
        /** @description The previous `nextCursor`. */
        cursor?: string;
        /**
         * @description Records per page; 50 by default.
         * @example 50
         */
        limit?: number;
        /**
         * @description The reason, which members of the organization can read in the audit log.
         * @example Requested by the customer
         */
        reason: string;
        /**
         * @description `channel:<id>`, `workspace:<id>` or `organization:<id>`.
         * @example channel:ch_8fKq2ZrW
         */
        scope: string;
      };
    };
    responses: {
      /** @description Lists replays of any organization */
      200: {
        headers: {};
        content: {
          /**
           * @example {
           *       "replays": [
           *         {
           *           "replayId": "rpl_sD9vG3bX",
           *           "status": "completed",
           *           "scope": "channel:ch_8fKq2ZrW",
           *           "since": "2026-01-30T00:00:00.000Z",
           *           "until": "2026-01-31T00:00:00.000Z",
           *           "statuses": [
           *             "exhausted",
           *             "skipped"
           *           ],
           *           "eventTypes": null,
           *           "channelIds": null,
           *           "originalDestinations": null,
           *           "httpStatuses": null,
           *           "selectedBy": [
           *             "search"
           *           ],
           *           "destination": "webhook",
           *           "ratePerSecond": 10,
           *           "matched": 42,
           *           "sent": 42,
           *           "delivered": 41,
           *           "failed": 1,
           *           "waiting": 0,
           *           "createdAt": "2026-01-31T09:00:00.000Z",
           *           "startedAt": "2026-01-31T09:00:01.000Z",
           *           "endedAt": "2026-01-31T09:00:06.000Z",
           *           "workflowId": "replay/rpl_sD9vG3bX",
           *           "organizationId": "org_N0rthw1d",
           *           "workspaceId": null,
           *           "temporalUrl": null
           *         }
           *       ],
           *       "nextCursor": null
           *     }
           */
          'application/json': components['schemas']['StaffReplayList'];
        };
      };
    };
  };
  createStaffReplay: {
    parameters: {
      header?: {
        /**
         * @description Identifies one operation, with 1 to 255 printable ASCII characters. A repeated request with the same key and body returns the first response, and waits for it while the first request runs. A refusal that did nothing frees the key.
         * @example 7d1f0c52-order-118
         */
        'Idempotency-Key'?: string;
      };
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "scope": "channel:ch_8fKq2ZrW",
         *       "since": "2026-01-30T00:00:00.000Z",
         *       "until": "2026-01-31T00:00:00.000Z",
         *       "statuses": [
         *         "exhausted",
         *         "skipped"
         *       ],
         *       "reason": "Receiver was down until noon"
         *     }
         */
        'application/json': components['schemas']['StaffBulkReplayInput'];
      };
    };
    responses: {
      /** @description Creates a replay in any organization */
      202: {
        headers: {};
        content: {
          /**
           * @example {
           *       "replayId": "rpl_sD9vG3bX",
           *       "matched": 42,
           *       "isCountComplete": true,
           *       "ratePerSecond": 10,
           *       "unverifiedDestinations": 0
           *     }
           */
          'application/json': components['schemas']['ReplayStarted'];
        };
      };
    };
  };
  getStaffReplay: {
    parameters: {
      query: {
        /**
         * @description The reason, which members of the organization can read in the audit log.
         * @example Requested by the customer
         */
        reason: string;
      };
      path: {
        /**
         * @description Id of the replay.
         * @example rpl_sD9vG3bX
         */
        rpl: string;
      };
    };
    responses: {
      /** @description Returns a replay of any organization */
      200: {
        headers: {};
        content: {
          /**
           * @example {
           *       "replayId": "rpl_sD9vG3bX",
           *       "status": "completed",
           *       "scope": "channel:ch_8fKq2ZrW",
           *       "since": "2026-01-30T00:00:00.000Z",
           *       "until": "2026-01-31T00:00:00.000Z",
           *       "statuses": [
           *         "exhausted",
           *         "skipped"
           *       ],
           *       "eventTypes": null,
           *       "channelIds": null,
           *       "originalDestinations": null,
           *       "httpStatuses": null,
           *       "selectedBy": [
           *         "search"
           *       ],
           *       "destination": "webhook",
           *       "ratePerSecond": 10,
           *       "matched": 42,
           *       "sent": 42,
           *       "delivered": 41,
           *       "failed": 1,
           *       "waiting": 0,
           *       "createdAt": "2026-01-31T09:00:00.000Z",
           *       "startedAt": "2026-01-31T09:00:01.000Z",
           *       "endedAt": "2026-01-31T09:00:06.000Z",
           *       "workflowId": "replay/rpl_sD9vG3bX",
           *       "organizationId": "org_N0rthw1d",
           *       "workspaceId": null,
           *       "temporalUrl": null
           *     }
           */
          'application/json': components['schemas']['StaffReplay'];
        };
      };
    };
  };
  cancelStaffReplay: {
    parameters: {
      path: {
        /**
         * @description Id of the replay.
         * @example rpl_sD9vG3bX
         */
        rpl: string;
      };
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "reason": "Receiver was down until noon"
         *     }
         */
        'application/json': components['schemas']['StaffReplayMoveInput'];
      };
    };
    responses: {
      /** @description Cancels a replay as staff */
      202: {
        headers: {};
        content: {
          /**
           * @example {
           *       "replayId": "rpl_sD9vG3bX",
           *       "status": "cancelled",
           *       "scope": "channel:ch_8fKq2ZrW",
           *       "since": "2026-01-30T00:00:00.000Z",
           *       "until": "2026-01-31T00:00:00.000Z",
           *       "statuses": [
           *         "exhausted",
           *         "skipped"
           *       ],
           *       "eventTypes": null,
           *       "channelIds": null,
           *       "originalDestinations": null,
           *       "httpStatuses": null,
           *       "selectedBy": [
           *         "search"
           *       ],
           *       "destination": "webhook",
           *       "ratePerSecond": 10,
           *       "matched": 42,
           *       "sent": 20,
           *       "delivered": 20,
           *       "failed": 0,
           *       "waiting": 0,
           *       "createdAt": "2026-01-31T09:00:00.000Z",
           *       "startedAt": "2026-01-31T09:00:01.000Z",
           *       "endedAt": "2026-01-31T09:00:06.000Z",
           *       "workflowId": "replay/rpl_sD9vG3bX",
           *       "organizationId": "org_N0rthw1d",
           *       "workspaceId": null,
           *       "temporalUrl": null
           *     }
           */
          'application/json': components['schemas']['StaffReplay'];
        };
      };
    };
  };
  pauseStaffReplay: {
    parameters: {
      path: {
        /**
         * @description Id of the replay.
         * @example rpl_sD9vG3bX
         */
        rpl: string;
      };
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "reason": "Receiver was down until noon"
         *     }
         */
        'application/json': components['schemas']['StaffReplayMoveInput'];
      };
    };
    responses: {
      /** @description Pauses a replay as staff */
      202: {
        headers: {};
        content: {
          /**
           * @example {
           *       "replayId": "rpl_sD9vG3bX",
           *       "status": "paused",
           *       "scope": "channel:ch_8fKq2ZrW",
           *       "since": "2026-01-30T00:00:00.000Z",
           *       "until": "2026-01-31T00:00:00.000Z",
           *       "statuses": [
           *         "exhausted",
           *         "skipped"
           *       ],
           *       "eventTypes": null,
           *       "channelIds": null,
           *       "originalDestinations": null,
           *       "httpStatuses": null,
           *       "selectedBy": [
           *         "search"
           *       ],
           *       "destination": "webhook",
           *       "ratePerSecond": 10,
           *       "matched": 42,
           *       "sent": 20,
           *       "delivered": 20,
           *       "failed": 0,
           *       "waiting": 0,
           *       "createdAt": "2026-01-31T09:00:00.000Z",
           *       "startedAt": "2026-01-31T09:00:01.000Z",
           *       "endedAt": null,
           *       "workflowId": "replay/rpl_sD9vG3bX",
           *       "organizationId": "org_N0rthw1d",
           *       "workspaceId": null,
           *       "temporalUrl": null
           *     }
           */
          'application/json': components['schemas']['StaffReplay'];
        };
      };
    };
  };
  resumeStaffReplay: {
    parameters: {
      path: {
        /**
         * @description Id of the replay.
         * @example rpl_sD9vG3bX
         */
        rpl: string;
      };
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "reason": "Receiver was down until noon"
         *     }
         */
        'application/json': components['schemas']['StaffReplayMoveInput'];
      };
    };
    responses: {
      /** @description Resumes a paused replay as staff */
      202: {
        headers: {};
        content: {
          /**
           * @example {
           *       "replayId": "rpl_sD9vG3bX",
           *       "status": "running",
           *       "scope": "channel:ch_8fKq2ZrW",
           *       "since": "2026-01-30T00:00:00.000Z",
           *       "until": "2026-01-31T00:00:00.000Z",
           *       "statuses": [
           *         "exhausted",
           *         "skipped"
           *       ],
           *       "eventTypes": null,
           *       "channelIds": null,
           *       "originalDestinations": null,
           *       "httpStatuses": null,
           *       "selectedBy": [
           *         "search"
           *       ],
           *       "destination": "webhook",
           *       "ratePerSecond": 10,
           *       "matched": 42,
           *       "sent": 20,
           *       "delivered": 20,
           *       "failed": 0,
           *       "waiting": 0,
           *       "createdAt": "2026-01-31T09:00:00.000Z",
           *       "startedAt": "2026-01-31T09:00:01.000Z",
           *       "endedAt": null,
           *       "workflowId": "replay/rpl_sD9vG3bX",
           *       "organizationId": "org_N0rthw1d",
           *       "workspaceId": null,
           *       "temporalUrl": null
           *     }
           */
          'application/json': components['schemas']['StaffReplay'];
        };
      };
    };
  };
  listUnroutedEvents: {
    parameters: {
      query: {
        /** @description The previous `nextCursor`. */
        cursor?: string;
        /**
         * @description Records per page; 50 by default.
         * @example 50
         */
        limit?: number;
        /**
         * @description The reason, which members of the organization can read in the audit log.
         * @example Requested by the customer
         */
        reason: string;
        /**
         * @description The platform's id of the number, account or Page.
         * @example 106540352242922
         */
        resourceId?: string;
        /**
         * @description Received at or after this time.
         * @example 2026-01-30T00:00:00.000Z
         */
        since?: string;
        /**
         * @description Filters by type.
         * @example chatapp
         */
        type?: 'chatapp' | 'photoapp' | 'pageapp';
        /**
         * @description Received before this time.
         * @example 2026-01-31T00:00:00.000Z
         */
        until?: string;
      };
    };
    responses: {
      /** @description Lists events of unknown channels */
      200: {
        headers: {};
        content: {
          /**
           * @example {
           *       "events": [
           *         {
           *           "type": "chatapp",
           *           "resourceId": "106540352242922",
           *           "receivedAt": "2026-01-31T08:00:00.120Z",
           *           "sizeBytes": 428,
           *           "sentAt": null
           *         }
           *       ],
           *       "nextCursor": null
           *     }
           */
          'application/json': components['schemas']['UnroutedEventList'];
        };
      };
    };
  };
  getWebhookConfig: {
    parameters: {
      path: {
        /**
         * @description Id of the channel.
         * @example ch_8fKq2ZrW
         */
        ch: string;
      };
    };
    responses: {
      /** @description Returns the channel's webhook */
      200: {
        headers: {};
        content: {
          /**
           * @example {
           *       "channelId": "ch_8fKq2ZrW",
           *       "webhookUrl": "https://hooks.northwind.example/channels",
           *       "verifyToken": "sunrise-verify-2f9c",
           *       "verifiedAt": "2026-01-12T09:50:00.000Z",
           *       "updatedAt": "2026-01-12T09:50:00.000Z",
           *       "disabledReason": null,
           *       "lastVerification": {
           *         "at": "2026-01-12T09:50:00.000Z",
           *         "url": "https://hooks.northwind.example/channels",
           *         "ok": true,
           *         "failure": null,
           *         "probes": [
           *           {
           *             "probe": "GET",
           *             "outcome": "passed",
           *             "status": 200,
           *             "durationMs": 212,
           *             "expected": "status 200 with the verify token as body",
           *             "found": null,
           *             "responseBody": null,
           *             "error": null
           *           },
           *           {
           *             "probe": "POST",
           *             "outcome": "passed",
           *             "status": 200,
           *             "durationMs": 96,
           *             "expected": "any 2xx status",
           *             "found": null,
           *             "responseBody": null,
           *             "error": null
           *           }
           *         ]
           *       }
           *     }
           */
          'application/json': components['schemas']['WebhookConfig'];
        };
      };
    };
  };
  putWebhookConfig: {
    parameters: {
      query?: {
        /**
         * @description What happens to deliveries that wait for the previous URL: `follow` sends them to the new URL (default), `keep` to the previous one, and `cancel` cancels them.
         * @example follow
         */
        pending?: 'follow' | 'keep' | 'cancel';
      };
      path: {
        /**
         * @description Id of the channel.
         * @example ch_8fKq2ZrW
         */
        ch: string;
      };
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "webhookUrl": "https://hooks.northwind.example/channels",
         *       "verifyToken": "sunrise-verify-2f9c"
         *     }
         */
        'application/json': components['schemas']['WebhookConfigInput'];
      };
    };
    responses: {
      /** @description Sets the channel's webhook after two successful probes of its URL */
      200: {
        headers: {};
        content: {
          /**
           * @example {
           *       "channelId": "ch_8fKq2ZrW",
           *       "webhookUrl": "https://hooks.northwind.example/channels",
           *       "verifyToken": "sunrise-verify-2f9c",
           *       "verifiedAt": "2026-01-12T09:50:00.000Z",
           *       "updatedAt": "2026-01-12T09:50:00.000Z",
           *       "disabledReason": null,
           *       "lastVerification": {
           *         "at": "2026-01-12T09:50:00.000Z",
           *         "url": "https://hooks.northwind.example/channels",
           *         "ok": true,
           *         "failure": null,
           *         "probes": [
           *           {
           *             "probe": "GET",
           *             "outcome": "passed",
           *             "status": 200,
           *             "durationMs": 212,
           *             "expected": "status 200 with the verify token as body",
           *             "found": null,
           *             "responseBody": null,
           *             "error": null
           *           },
           *           {
           *             "probe": "POST",
           *             "outcome": "passed",
           *             "status": 200,
           *             "durationMs": 96,
           *             "expected": "any 2xx status",
           *             "found": null,
           *             "responseBody": null,
           *             "error": null
           *           }
           *         ]
           *       }
           *     }
           */
          'application/json': components['schemas']['WebhookConfig'];
        };
      };
    };
  };
  deleteWebhookConfig: {
    parameters: {
      path: {
        /**
         * @description Id of the channel.
         * @example ch_8fKq2ZrW
         */
        ch: string;
      };
    };
    responses: {
      /** @description Deletes the channel's webhook */
      204: {
        headers: {};
      };
    };
  };
  getWebhookHmac: {
    parameters: {
      path: {
        /**
         * @description Id of the channel.
         * @example ch_8fKq2ZrW
         */
        ch: string;
      };
    };
    responses: {
      /** @description Returns the signing secret */
      200: {
        headers: {};
        content: {
          /**
           * @example {
           *       "channelId": "ch_8fKq2ZrW",
           *       "hmacSecret": "whsec_T3Vyc2VjcmV0Zm9ydGhlZXhhbXBsZXNPbmx5ITEyMzQ="
           *     }
           */
          'application/json': components['schemas']['WebhookHmac'];
        };
      };
    };
  };
  rotateWebhookHmac: {
    parameters: {
      header?: {
        /**
         * @description Identifies one operation, with 1 to 255 printable ASCII characters. A repeated request with the same key and body returns the first response, and waits for it while the first request runs. A refusal that did nothing frees the key.
         * @example 7d1f0c52-order-118
         */
        'Idempotency-Key'?: string;
      };
      path: {
        /**
         * @description Id of the channel.
         * @example ch_8fKq2ZrW
         */
        ch: string;
      };
    };
    requestBody?: {
      content: {
        /**
         * @example {
         *       "overlapSeconds": 3600
         *     }
         */
        'application/json': components['schemas']['WebhookHmacRotationInput'];
      };
    };
    responses: {
      /** @description Rotates the signing secret */
      200: {
        headers: {};
        content: {
          /**
           * @example {
           *       "channelId": "ch_8fKq2ZrW",
           *       "hmacSecret": "whsec_T3Vyc2VjcmV0Zm9ydGhlZXhhbXBsZXNPbmx5ITEyMzQ=",
           *       "previousSecretExpiresAt": "2026-01-31T09:00:00.000Z"
           *     }
           */
          'application/json': components['schemas']['RotatedWebhookHmac'];
        };
      };
    };
  };
  testWebhook: {
    parameters: {
      path: {
        /**
         * @description Id of the channel.
         * @example ch_8fKq2ZrW
         */
        ch: string;
      };
    };
    requestBody?: {
      content: {
        /**
         * @example {
         *       "eventType": "chatapp.message.received"
         *     }
         */
        'application/json': components['schemas']['DestinationTestInput'];
      };
    };
    responses: {
      /** @description Sends a test event to the webhook and returns the attempt */
      200: {
        headers: {};
        content: {
          /**
           * @example {
           *       "channelId": "ch_8fKq2ZrW",
           *       "subscriptionId": null,
           *       "url": "https://hooks.northwind.example/channels",
           *       "eventType": "chatapp.message.received",
           *       "deliveryId": "wd_Zk9Wq3Lt",
           *       "eventId": "evt_b7Vd2NxS",
           *       "payload": "{\"object\":\"chatapp\",\"entry\":[{\"id\":\"102290129340398\",\"changes\":[{\"field\":\"messages\",\"value\":{\"messaging_product\":\"chatapp\",\"metadata\":{\"display_phone_number\":\"+1 555 0142\",\"phone_number_id\":\"106540352242922\"},\"contacts\":[{\"profile\":{\"name\":\"Ana Torres\"},\"wa_id\":\"15550198\"}],\"messages\":[{\"from\":\"15550198\",\"id\":\"wamid.HBgLMTU1NTAxOTg\",\"timestamp\":\"1769846400\",\"type\":\"text\",\"text\":{\"body\":\"Do you have sourdough today?\"}}]}}]}]}",
           *       "attempt": {
           *         "number": 1,
           *         "url": "https://hooks.northwind.example/channels",
           *         "startedAt": "2026-01-31T08:00:00.300Z",
           *         "durationMs": 212,
           *         "outcome": "accepted",
           *         "status": 200,
           *         "responseHeaders": {
           *           "content-type": "application/json"
           *         },
           *         "responseBody": "{\"ok\":true}",
           *         "error": null,
           *         "batch": null
           *       }
           *     }
           */
          'application/json': components['schemas']['DestinationTest'];
        };
      };
    };
  };
  getWorkspace: {
    parameters: {
      path: {
        /**
         * @description Id of the workspace.
         * @example ws_4Tg7LmQ2
         */
        ws: string;
      };
    };
    responses: {
      /** @description Returns a workspace */
      200: {
        headers: {};
        content: {
          /**
           * @example {
           *       "id": "ws_4Tg7LmQ2",
           *       "organizationId": "org_N0rthw1d",
           *       "name": "Sunrise Bakery",
           *       "kind": "customer",
           *       "externalId": "customer-4711",
           *       "createdAt": "2026-01-12T09:20:00.000Z",
           *       "memberCount": 2,
           *       "channelCount": 3,
           *       "role": "admin"
           *     }
           */
          'application/json': components['schemas']['WholeWorkspace'];
        };
      };
    };
  };
  deleteWorkspace: {
    parameters: {
      query?: {
        /**
         * @description Whether the data of its events is erased, too; `false` by default. It cannot be undone.
         * @example true
         */
        erase?: 'true' | 'false';
      };
      path: {
        /**
         * @description Id of the workspace.
         * @example ws_4Tg7LmQ2
         */
        ws: string;
      };
    };
    responses: {
      /** @description Deletes a workspace */
      204: {
        headers: {};
      };
    };
  };
  updateWorkspace: {
    parameters: {
      path: {
        /**
         * @description Id of the workspace.
         * @example ws_4Tg7LmQ2
         */
        ws: string;
      };
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "name": "Sunrise Bakery & Café"
         *     }
         */
        'application/json': components['schemas']['WorkspacePatch'];
      };
    };
    responses: {
      /** @description Renames a workspace */
      200: {
        headers: {};
        content: {
          /**
           * @example {
           *       "id": "ws_4Tg7LmQ2",
           *       "organizationId": "org_N0rthw1d",
           *       "name": "Sunrise Bakery & Café",
           *       "kind": "customer",
           *       "externalId": "customer-4711",
           *       "createdAt": "2026-01-12T09:20:00.000Z",
           *       "memberCount": 2,
           *       "channelCount": 3,
           *       "role": "admin"
           *     }
           */
          'application/json': components['schemas']['WholeWorkspace'];
        };
      };
    };
  };
  listAccountHealth: {
    parameters: {
      query?: {
        /** @description The previous `nextCursor`. */
        cursor?: string;
        /**
         * @description Records per page; 50 by default.
         * @example 50
         */
        limit?: number;
        /**
         * @description Filters by status.
         * @example healthy
         */
        status?: 'healthy' | 'warning' | 'failing' | 'unknown';
      };
      path: {
        /**
         * @description Id of the workspace.
         * @example ws_4Tg7LmQ2
         */
        ws: string;
      };
    };
    responses: {
      /** @description Lists the health of the channels of a workspace, newest channels first */
      200: {
        headers: {};
        content: {
          /**
           * @example {
           *       "channels": [
           *         {
           *           "channelId": "ch_8fKq2ZrW",
           *           "status": "warning",
           *           "reasons": [
           *             {
           *               "code": "quality_medium",
           *               "severity": "warning",
           *               "message": "The quality rating is medium. Recipients have blocked or reported messages."
           *             }
           *           ],
           *           "checkedAt": "2026-01-31T08:05:00.000Z",
           *           "lastFailure": null,
           *           "quality": "medium",
           *           "tier": "1K",
           *           "throughput": "standard",
           *           "accountStatus": "connected",
           *           "nameStatus": "approved",
           *           "credentialExpiresAt": "2026-03-13T09:41:00.000Z",
           *           "permissions": null,
           *           "subscription": null,
           *           "businessAccountId": "102290129340398",
           *           "name": "Sunrise Bakery",
           *           "username": null,
           *           "pictureUrl": null
           *         }
           *       ],
           *       "nextCursor": null
           *     }
           */
          'application/json': components['schemas']['AccountHealthList'];
        };
      };
    };
  };
  getWorkspaceDefaultWebhook: {
    parameters: {
      path: {
        /**
         * @description Id of the workspace.
         * @example ws_4Tg7LmQ2
         */
        ws: string;
      };
    };
    responses: {
      /** @description Returns the workspace's default webhook */
      200: {
        headers: {};
        content: {
          /**
           * @example {
           *       "organizationId": "org_N0rthw1d",
           *       "workspaceId": "ws_4Tg7LmQ2",
           *       "webhookUrl": "https://hooks.northwind.example/channels",
           *       "verifiedAt": "2026-01-12T09:50:00.000Z",
           *       "inheritedWebhookUrl": null,
           *       "lastVerification": null
           *     }
           */
          'application/json': components['schemas']['DefaultWebhook'];
        };
      };
    };
  };
  putWorkspaceDefaultWebhook: {
    parameters: {
      path: {
        /**
         * @description Id of the workspace.
         * @example ws_4Tg7LmQ2
         */
        ws: string;
      };
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "webhookUrl": "https://hooks.northwind.example/channels",
         *       "verifyToken": "sunrise-verify-2f9c"
         *     }
         */
        'application/json': components['schemas']['DefaultWebhookInput'];
      };
    };
    responses: {
      /** @description Sets the workspace's default webhook after two successful probes */
      200: {
        headers: {};
        content: {
          /**
           * @example {
           *       "organizationId": "org_N0rthw1d",
           *       "workspaceId": "ws_4Tg7LmQ2",
           *       "webhookUrl": "https://hooks.northwind.example/channels",
           *       "verifiedAt": "2026-01-12T09:50:00.000Z",
           *       "inheritedWebhookUrl": null,
           *       "lastVerification": null
           *     }
           */
          'application/json': components['schemas']['DefaultWebhook'];
        };
      };
    };
  };
  deleteWorkspaceDefaultWebhook: {
    parameters: {
      path: {
        /**
         * @description Id of the workspace.
         * @example ws_4Tg7LmQ2
         */
        ws: string;
      };
    };
    responses: {
      /** @description Deletes the workspace's default webhook */
      204: {
        headers: {};
      };
    };
  };
  applyWorkspaceDefaultWebhook: {
    parameters: {
      header?: {
        /**
         * @description Identifies one operation, with 1 to 255 printable ASCII characters. A repeated request with the same key and body returns the first response, and waits for it while the first request runs. A refusal that did nothing frees the key.
         * @example 7d1f0c52-order-118
         */
        'Idempotency-Key'?: string;
      };
      path: {
        /**
         * @description Id of the workspace.
         * @example ws_4Tg7LmQ2
         */
        ws: string;
      };
    };
    requestBody?: {
      content: {
        /**
         * @example {
         *       "dryRun": true,
         *       "replaceOwn": false
         *     }
         */
        'application/json': components['schemas']['WebhookRolloutInput'];
      };
    };
    responses: {
      /** @description Applies the workspace's default webhook to existing channels */
      202: {
        headers: {};
        content: {
          /**
           * @example {
           *       "rolloutId": "dwr_w4BjY6tM",
           *       "workspaceId": "ws_4Tg7LmQ2",
           *       "webhookUrl": "https://hooks.northwind.example/channels",
           *       "trigger": "requested",
           *       "channelId": null,
           *       "dryRun": false,
           *       "replaceOwn": false,
           *       "status": "completed",
           *       "total": 42,
           *       "applied": 38,
           *       "unchanged": 1,
           *       "skipped": 3,
           *       "failed": 0,
           *       "createdAt": "2026-01-31T08:00:00.000Z",
           *       "endedAt": "2026-01-31T08:06:00.000Z",
           *       "workflowId": "webhook-rollout/dwr_w4BjY6tM"
           *     }
           */
          'application/json': components['schemas']['WebhookRollout'];
        };
      };
    };
  };
  listWorkspaceRollouts: {
    parameters: {
      query?: {
        /** @description The previous `nextCursor`. */
        cursor?: string;
        /**
         * @description Records per page; 50 by default.
         * @example 50
         */
        limit?: number;
      };
      path: {
        /**
         * @description Id of the workspace.
         * @example ws_4Tg7LmQ2
         */
        ws: string;
      };
    };
    responses: {
      /** @description Lists the rollouts of the workspace's default webhook, newest first */
      200: {
        headers: {};
        content: {
          /**
           * @example {
           *       "rollouts": [
           *         {
           *           "rolloutId": "dwr_w4BjY6tM",
           *           "workspaceId": "ws_4Tg7LmQ2",
           *           "webhookUrl": "https://hooks.northwind.example/channels",
           *           "trigger": "requested",
           *           "channelId": null,
           *           "dryRun": false,
           *           "replaceOwn": false,
           *           "status": "completed",
           *           "total": 42,
           *           "applied": 38,
           *           "unchanged": 1,
           *           "skipped": 3,
           *           "failed": 0,
           *           "createdAt": "2026-01-31T08:00:00.000Z",
           *           "endedAt": "2026-01-31T08:06:00.000Z",
           *           "workflowId": "webhook-rollout/dwr_w4BjY6tM"
           *         }
           *       ],
           *       "nextCursor": null
           *     }
           */
          'application/json': components['schemas']['WebhookRolloutList'];
        };
      };
    };
  };
  getWorkspaceRollout: {
    parameters: {
      path: {
        /**
         * @description Id of the webhookRollout.
         * @example dwr_w4BjY6tM
         */
        dwr: string;
        /**
         * @description Id of the workspace.
         * @example ws_4Tg7LmQ2
         */
        ws: string;
      };
    };
    responses: {
      /** @description Returns a rollout of the workspace's default webhook with its progress */
      200: {
        headers: {};
        content: {
          /**
           * @example {
           *       "rolloutId": "dwr_w4BjY6tM",
           *       "workspaceId": "ws_4Tg7LmQ2",
           *       "webhookUrl": "https://hooks.northwind.example/channels",
           *       "trigger": "requested",
           *       "channelId": null,
           *       "dryRun": false,
           *       "replaceOwn": false,
           *       "status": "completed",
           *       "total": 42,
           *       "applied": 38,
           *       "unchanged": 1,
           *       "skipped": 3,
           *       "failed": 0,
           *       "createdAt": "2026-01-31T08:00:00.000Z",
           *       "endedAt": "2026-01-31T08:06:00.000Z",
           *       "workflowId": "webhook-rollout/dwr_w4BjY6tM"
           *     }
           */
          'application/json': components['schemas']['WebhookRollout'];
        };
      };
    };
  };
  cancelWorkspaceRollout: {
    parameters: {
      path: {
        /**
         * @description Id of the webhookRollout.
         * @example dwr_w4BjY6tM
         */
        dwr: string;
        /**
         * @description Id of the workspace.
         * @example ws_4Tg7LmQ2
         */
        ws: string;
      };
    };
    responses: {
      /** @description Cancels a rollout of the workspace's default webhook */
      202: {
        headers: {};
        content: {
          /**
           * @example {
           *       "rolloutId": "dwr_w4BjY6tM",
           *       "workspaceId": "ws_4Tg7LmQ2",
           *       "webhookUrl": "https://hooks.northwind.example/channels",
           *       "trigger": "requested",
           *       "channelId": null,
           *       "dryRun": false,
           *       "replaceOwn": false,
           *       "status": "cancelled",
           *       "total": 42,
           *       "applied": 20,
           *       "unchanged": 0,
           *       "skipped": 0,
           *       "failed": 0,
           *       "createdAt": "2026-01-31T08:00:00.000Z",
           *       "endedAt": "2026-01-31T08:06:00.000Z",
           *       "workflowId": "webhook-rollout/dwr_w4BjY6tM"
           *     }
           */
          'application/json': components['schemas']['WebhookRollout'];
        };
      };
    };
  };
  listWorkspaceRolloutResults: {
    parameters: {
      query?: {
        /** @description The previous `nextCursor`. */
        cursor?: string;
        /**
         * @description Records per page; 50 by default.
         * @example 50
         */
        limit?: number;
        /**
         * @description Filters by outcome.
         * @example applied
         */
        outcome?: 'applied' | 'unchanged' | 'skipped' | 'failed';
      };
      path: {
        /**
         * @description Id of the webhookRollout.
         * @example dwr_w4BjY6tM
         */
        dwr: string;
        /**
         * @description Id of the workspace.
         * @example ws_4Tg7LmQ2
         */
        ws: string;
      };
    };
    responses: {
      /** @description Lists the channels of a workspace's rollout with their results */
      200: {
        headers: {};
        content: {
          /**
           * @example {
           *       "results": [
           *         {
           *           "channelId": "ch_8fKq2ZrW",
           *           "workspaceId": "ws_4Tg7LmQ2",
           *           "displayName": "Sunrise Bakery",
           *           "outcome": "applied",
           *           "reason": null,
           *           "detail": null,
           *           "createdAt": "2026-01-31T08:00:04.000Z"
           *         }
           *       ],
           *       "nextCursor": null
           *     }
           */
          'application/json': components['schemas']['WebhookRolloutResultList'];
        };
      };
    };
  };
  listWorkspaceMembers: {
    parameters: {
      query?: {
        /** @description The previous `nextCursor`. */
        cursor?: string;
        /**
         * @description Records per page; 50 by default.
         * @example 50
         */
        limit?: number;
      };
      path: {
        /**
         * @description Id of the workspace.
         * @example ws_4Tg7LmQ2
         */
        ws: string;
      };
    };
    responses: {
      /** @description Lists the members of a workspace, newest first */
      200: {
        headers: {};
        content: {
          /**
           * @example {
           *       "members": [
           *         {
           *           "userId": "usr_mArt4Lop",
           *           "email": "maria@northwind.example",
           *           "createdAt": "2026-01-12T09:20:00.000Z",
           *           "role": "admin"
           *         }
           *       ],
           *       "nextCursor": null
           *     }
           */
          'application/json': components['schemas']['WorkspaceMemberList'];
        };
      };
    };
  };
  putWorkspaceMember: {
    parameters: {
      path: {
        /**
         * @description Id of the user.
         * @example usr_mArt4Lop
         */
        usr: string;
        /**
         * @description Id of the workspace.
         * @example ws_4Tg7LmQ2
         */
        ws: string;
      };
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "role": "developer"
         *     }
         */
        'application/json': components['schemas']['WorkspaceMemberRoleInput'];
      };
    };
    responses: {
      /** @description Adds an organization member to a workspace or changes their role */
      200: {
        headers: {};
        content: {
          /**
           * @example {
           *       "userId": "usr_mArt4Lop",
           *       "email": "maria@northwind.example",
           *       "createdAt": "2026-01-12T09:20:00.000Z",
           *       "role": "admin"
           *     }
           */
          'application/json': components['schemas']['WorkspaceMember'];
        };
      };
    };
  };
  removeWorkspaceMember: {
    parameters: {
      path: {
        /**
         * @description Id of the user.
         * @example usr_mArt4Lop
         */
        usr: string;
        /**
         * @description Id of the workspace.
         * @example ws_4Tg7LmQ2
         */
        ws: string;
      };
    };
    responses: {
      /** @description Removes a person from a workspace */
      204: {
        headers: {};
      };
    };
  };
  listPortalLinks: {
    parameters: {
      query?: {
        /** @description The previous `nextCursor`. */
        cursor?: string;
        /**
         * @description Records per page; 50 by default.
         * @example 50
         */
        limit?: number;
      };
      path: {
        /**
         * @description Id of the workspace.
         * @example ws_4Tg7LmQ2
         */
        ws: string;
      };
    };
    responses: {
      /** @description Lists a workspace's portal links of the last week, newest first */
      200: {
        headers: {};
        content: {
          /**
           * @example {
           *       "portalLinks": [
           *         {
           *           "portalLinkId": "ptl_L9rG5vTc",
           *           "name": "Support ticket 118",
           *           "rights": [
           *             "channels.read",
           *             "deliveries.read"
           *           ],
           *           "channelIds": null,
           *           "status": "active",
           *           "useCount": 0,
           *           "lastUsedAt": null,
           *           "createdAt": "2026-01-31T08:00:00.000Z",
           *           "expiresAt": "2026-01-31T09:00:00.000Z"
           *         }
           *       ],
           *       "nextCursor": null
           *     }
           */
          'application/json': components['schemas']['PortalLinkList'];
        };
      };
    };
  };
  createPortalLink: {
    parameters: {
      path: {
        /**
         * @description Id of the workspace.
         * @example ws_4Tg7LmQ2
         */
        ws: string;
      };
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "name": "Support ticket 118",
         *       "rights": [
         *         "channels.read",
         *         "deliveries.read"
         *       ],
         *       "expiresIn": 3600
         *     }
         */
        'application/json': components['schemas']['PortalLinkInput'];
      };
    };
    responses: {
      /** @description Creates a short-lived link to a page with the channels of one customer */
      201: {
        headers: {};
        content: {
          /**
           * @example {
           *       "portalLinkId": "ptl_L9rG5vTc",
           *       "name": "Support ticket 118",
           *       "rights": [
           *         "channels.read",
           *         "deliveries.read"
           *       ],
           *       "channelIds": null,
           *       "status": "active",
           *       "useCount": 0,
           *       "lastUsedAt": null,
           *       "createdAt": "2026-01-31T08:00:00.000Z",
           *       "expiresAt": "2026-01-31T09:00:00.000Z",
           *       "url": "https://channels.example.com/portal#ptl_L9rG5vTc.ExamplePortalSecretExamplePortalSecretExamp"
           *     }
           */
          'application/json': components['schemas']['CreatedPortalLink'];
        };
      };
    };
  };
  revokePortalLink: {
    parameters: {
      path: {
        /**
         * @description Id of the portalLink.
         * @example ptl_L9rG5vTc
         */
        ptl: string;
        /**
         * @description Id of the workspace.
         * @example ws_4Tg7LmQ2
         */
        ws: string;
      };
    };
    responses: {
      /** @description Revokes a portal link */
      204: {
        headers: {};
      };
    };
  };
}
