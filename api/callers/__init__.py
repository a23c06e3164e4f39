"""Who is calling, what he may do, and what is noted of it: credentials, passwords, throttles, streams that
end with their token, the audit's words."""
