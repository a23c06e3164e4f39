"""What people of the House do: two of them or one, about parameters, pools, irregularities, malfunctions,
tables that were offline, and the wins that wait.

Here a person is named and a reason given. Who may do what over HTTP is said in `api`.
"""
